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

/** What is needed to connect to a panel. `key` is in plain text. */
export type PanelSettings = {
  kind: PanelType
  address: string
  username: string
  key: string
  ca: string
  allowPrivate: boolean
}
type Options = { callMs?: number; clock?: () => number }

type AdapterAt = { base: string; adapter: PanelAdapter }
/** Panel types that serve calls from several files. The others serve all calls from one file. */
const typesWithManyFiles = new Set<PanelType>(['onestream', 'ministra'])
function atFile(address: string, defaultFile: string, adapter: (file: string) => PanelAdapter): AdapterAt {
  const { base, file } = splitAddress(address, defaultFile)
  return { base, adapter: adapter(file) }
}
const adapters: Record<Exclude<PanelType, 'manual'>, (settings: PanelSettings) => AdapterAt> = {
  'xui-admin': ({ address, key }) => ({ base: address, adapter: xuiAdmin(key) }),
  'xui-reseller': ({ address, key }) => atFile(address, '', (file) => xuiReseller(key, file)),
  'xc-api': ({ address, key }) => atFile(address, 'api.php', (file) => xcApi(key, file)),
  onestream: ({ address, username, key }) => ({ base: address, adapter: onestream(username, key) }),
  'panel-api': ({ address, key }) => atFile(address, 'api.php', (file) => panelApi(key, file)),
  ministra: ({ address, username, key }) => ({
    base: address,
    adapter: ministra(username, key, /\/stalker_portal\/?$/.test(address)),
  }),
}

// Recently opened panels by a hash of their settings, so that each panel keeps its circuit breaker.
const panels = new Map<string, ProvisioningPanel>()
const maxCached = 32

/** The panel with these settings; null for `manual` and if the address or the key is missing. */
export function openPanel(settings: PanelSettings, options?: Options): ProvisioningPanel | null {
  const { kind, address, key } = settings
  // Some builds of Xtream Codes use an allowlist of addresses instead of a key.
  if (kind === 'manual' || address === '' || (key === '' && kind !== 'xc-api')) return null
  const hash = createHash('sha256').update(JSON.stringify(settings)).digest('base64')
  const cached = options ? undefined : panels.get(hash)
  if (cached) return cached
  const { base, adapter } = adapters[kind](settings)
  const { ca, allowPrivate } = settings
  const panel = panelClient(
    adapter,
    openConnection({
      base,
      ca,
      allowPrivate,
      secrets: key ? [key] : [],
      isOneFile: !typesWithManyFiles.has(kind),
      ...options,
    }),
  )
  if (options) return panel
  panels.set(hash, panel)
  if (panels.size > maxCached) panels.delete(panels.keys().next().value!)
  return panel
}
