import { createHash } from 'node:crypto'
import type { PanelKind } from '#features/panels/contract.ts'
import type { ProvisioningPanel } from '../port.ts'
import { type Dialect, speaking } from './dialect.ts'
import { wayTo } from './operation.ts'
import { xuiAdmin } from './xui-admin.ts'

/** What is needed to speak to a panel, its key in the clear. */
export type PanelSettings = { kind: PanelKind; address: string; username: string; key: string; ca: string; allowPrivate: boolean }
type Options = { callMs?: number; clock?: () => number }

const dialects: Partial<Record<PanelKind, (settings: PanelSettings) => Dialect>> = {
  'xui-admin': ({ key }) => xuiAdmin(key),
}

// The last few, each under a hash of its settings: its breaker remembers how the panel has been.
const panels = new Map<string, ProvisioningPanel>()
const mostRemembered = 8

/** The panel that these settings choose; null for `manual`, where lines are typed in by hand, and while address or key are missing. */
export function panelOf(settings: PanelSettings, options?: Options): ProvisioningPanel | null {
  const dialectOf = dialects[settings.kind]
  if (!dialectOf || settings.address === '' || settings.key === '') return null
  const name = createHash('sha256').update(JSON.stringify(settings)).digest('base64')
  const known = options ? undefined : panels.get(name)
  if (known) return known
  const { address: base, ca, allowPrivate, key } = settings
  const panel = speaking(dialectOf(settings), wayTo({ base, ca, allowPrivate, secrets: [key], ...options }))
  if (options) return panel
  panels.set(name, panel)
  if (panels.size > mostRemembered) panels.delete(panels.keys().next().value!)
  return panel
}
