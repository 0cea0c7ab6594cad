import type { UseFormRegisterReturn } from 'react-hook-form'
import type { ListedPackage } from '#features/provisioning/admin-contract.ts'
import type { PanelType } from '#features/provisioning/contract.ts'

type PanelTypeOption = { kind: PanelType; name: string; hint: string; address: string; user?: true }
/** The panel types in the order of the form, with the hints that the form shows. `user`: the API also needs a username. */
export const panelTypeOptions: readonly PanelTypeOption[] = [
  {
    kind: 'manual',
    name: 'Manual',
    hint: 'You create each line in your panel and enter its credentials here.',
    address: '',
  },
  {
    kind: 'xui-reseller',
    name: 'XUI or Xtream-Masters, reseller API',
    hint: 'Packages set what a line contains and how long it lasts; each costs credits.',
    address: 'With its access code, such as https://panel.example:8443/code/reseller/index.php',
  },
  {
    kind: 'xui-admin',
    name: 'XUI or XC_VM, admin API',
    hint: 'The key of this API has full access to your panel. A reseller’s key is safer.',
    address: 'With its access code, such as https://panel.example:8443/code',
  },
  {
    kind: 'xc-api',
    name: 'Xtream Codes (api.php)',
    hint: 'This server’s address must be on the panel’s allowlist.',
    address: 'Such as https://panel.example:25463',
  },
  {
    kind: 'onestream',
    name: '1-Stream billing API',
    hint: 'Needs an API key and the username it belongs to.',
    address: 'Such as https://panel.example',
    user: true,
  },
  {
    kind: 'panel-api',
    name: 'Reseller panel API (api.php, action=new)',
    hint: 'The panel may choose usernames and passwords. It can neither disable nor list lines.',
    address: 'Such as https://panel.example/api.php',
  },
  {
    kind: 'ministra',
    name: 'Ministra or Stalker',
    hint: 'Needs the username and password of its REST API. It does not limit connections.',
    address: 'Such as https://portal.example',
    user: true,
  },
]

type FieldOptions = { id: string; error: string | undefined }
/** The parts of a form that the package fields use. */
export type PackagesForm = {
  field: (name: `packages.${number}` | 'trialPackage') => FieldOptions
  register: (name: `packages.${number}` | 'trialPackage') => UseFormRegisterReturn
}
/** The parts of a form that the connection fields use. */
export type ConnectionForm = {
  field: (name: 'address' | 'username' | 'key' | 'ca') => FieldOptions
  register: (name: 'address' | 'username' | 'key' | 'ca') => UseFormRegisterReturn
}

const plural = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

/** Describes a package, such as `Full, a month · 2 connections · 30 days · 10 credits`. Facts that the panel did not report are omitted. */
export function packageText({ name, connections, hours, credits, trial }: ListedPackage): string {
  const parts = [
    name,
    connections === null ? '' : plural(connections, 'connection'),
    hours === null ? '' : durationText(hours),
    credits === null ? '' : plural(credits, 'credit'),
    trial ? 'trial' : '',
  ]
  return parts.filter(Boolean).join(' · ')
}

function durationText(hours: number): string {
  if (hours % 24 === 0) return plural(hours / 24, 'day')
  return hours > 48 ? `${Math.round(hours / 24)} days` : `${hours} hours`
}
