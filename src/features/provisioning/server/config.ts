import type { Logger } from 'pino'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { type KeyOrRing, open, secretKey } from '#server/secrets/keys.ts'
import { mainPanelId } from '../panel-rules.ts'
import { panelRow, sealedKeyContext } from './panel-rows/read-panels.ts'
import { configuredPanel } from './panels/configured.ts'
import { openPanel } from './panels/open-panel.ts'
import type { ProvisioningPanel } from './panels/port.ts'

/** One of the operator's panels and the settings for lines on it. */
export type ProvisioningConfig = {
  /** The id of the panel's row. */
  id: number
  panel: ProvisioningPanel
  /** Type and address of the panel, as `lines.panel` stores them. A line's reference is valid only on a panel with the same type and address. */
  panelId: string
  /** The server URL that customers enter in their players. */
  server: string
  /** Days from the end of a subscription until its line is disabled. */
  graceDays: number
  /** The panel's package of each plan, by the plan's id. */
  packages: Record<string, string>
  trialPackage: string
}

/** What the worker needs. `loadConfig` is called for each panel in every round; it returns null for manual provisioning. */
export type WorkerContext = {
  db: Db
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  key: () => KeyOrRing
  loadConfig: (panelId: number) => Promise<ProvisioningConfig | null>
}

/**
 * The configuration of a panel; null for manual provisioning and for a panel that was deleted. Throws when the stored key cannot be decrypted.
 */
export async function loadProvisioningConfig(db: Db, config: Config, id: number): Promise<ProvisioningConfig | null> {
  const setting = await settings.read(db, 'provisioning')
  const { graceDays } = setting
  if (id !== mainPanelId) {
    const row = await panelRow(db, id)
    const key = row?.key ? open(secretKey(config), row.key, sealedKeyContext(id)) : ''
    if (!row || row.kind === null) return null
    const { kind, address, username, ca, packages, trialPackage } = row
    const panel = openPanel({ kind, address, username, ca, key, allowPrivate: config.panelAllowPrivate })
    const server = playerServer(row.server, config)
    return panel && { id, panel, panelId: `${kind} ${address}`, server, graceDays, packages, trialPackage }
  }
  const panel = await configuredPanel({ db, config })
  if (!panel) return null
  const { kind, address, packages, trialPackage } = setting
  const server = playerServer(setting.server, config)
  return { id, panel, panelId: `${kind} ${address}`, server, graceDays, packages, trialPackage }
}

/** The server URL that customers enter in their players: `server` from the settings or, if that is empty, PANEL_URL. */
export const playerServer = (server: string, { panel }: Pick<Config, 'panel'>): string => server || (panel?.url ?? '')
