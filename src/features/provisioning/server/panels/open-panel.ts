import { createHash } from 'node:crypto'
import type { PanelType } from '../../contract.ts'
import { type PanelAdapter, panelClient } from './adapter.ts'
import { splitAddress } from './address.ts'
import { openConnection } from './http.ts'
import { ministra } from './ministra.ts'
import { onestream } from './onestream.ts'
import { panelApi } from './panel-api.ts'
import type { ProvisioningPanel } from './port.ts'
import { xcApi } from './xc-api.ts'
import { xuiAdmin } from './xui-admin.ts'
import { xuiReseller } from './xui-reseller.ts'

/** What is needed to speak to a panel, its key in the clear. */
export type PanelSettings = {
  kind: PanelType
  address: string
  username: string
  key: string
  ca: string
  allowPrivate: boolean
}
type Options = { callMs?: number; clock?: () => number }

type AdapterAt = { base: string; dialect: PanelAdapter }
const manyFiles = new Set<PanelType>(['onestream', 'ministra'])
function at(address: string, usual: string, dialect: (file: string) => PanelAdapter): AdapterAt {
  const { base, file } = splitAddress(address, usual)
  return { base, dialect: dialect(file) }
}
const adapters: Record<Exclude<PanelType, 'manual'>, (settings: PanelSettings) => AdapterAt> = {
  'xui-admin': ({ address, key }) => ({ base: address, dialect: xuiAdmin(key) }),
  'xui-reseller': ({ address, key }) => at(address, '', (file) => xuiReseller(key, file)),
  'xc-api': ({ address, key }) => at(address, 'api.php', (file) => xcApi(key, file)),
  onestream: ({ address, username, key }) => ({ base: address, dialect: onestream(username, key) }),
  'panel-api': ({ address, key }) => at(address, 'api.php', (file) => panelApi(key, file)),
  ministra: ({ address, username, key }) => ({
    base: address,
    dialect: ministra(username, key, /\/stalker_portal\/?$/.test(address)),
  }),
}

// The last few, each under a hash of its settings: its breaker remembers how the panel has been.
const panels = new Map<string, ProvisioningPanel>()
const mostRemembered = 8

/** The panel that these settings choose; null for `manual`, where lines are typed in by hand, and while address or key are missing. */
export function openPanel(settings: PanelSettings, options?: Options): ProvisioningPanel | null {
  const { kind, address, key } = settings
  // Some builds of Xtream Codes ask for no key: they know us by our address.
  if (kind === 'manual' || address === '' || (key === '' && kind !== 'xc-api')) return null
  const name = createHash('sha256').update(JSON.stringify(settings)).digest('base64')
  const known = options ? undefined : panels.get(name)
  if (known) return known
  const { base, dialect } = adapters[kind](settings)
  const { ca, allowPrivate } = settings
  const panel = panelClient(
    dialect,
    openConnection({ base, ca, allowPrivate, secrets: key ? [key] : [], isOneFile: !manyFiles.has(kind), ...options }),
  )
  if (options) return panel
  panels.set(name, panel)
  if (panels.size > mostRemembered) panels.delete(panels.keys().next().value!)
  return panel
}
