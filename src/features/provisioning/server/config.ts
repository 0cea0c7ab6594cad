import type { Logger } from 'pino'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Key } from '#server/secrets/keys.ts'
import { configuredPanel } from './panels/configured.ts'
import type { ProvisioningPanel } from './panels/port.ts'

/** The operator's panel and the settings for lines on it. */
export type ProvisioningConfig = {
  panel: ProvisioningPanel
  /** Type and address of the panel. A line's reference is valid only on the panel with the same id. */
  panelId: string
  /** The address that customers enter in their players. */
  server: string
  /** Days from the end of a subscription until its line is disabled. */
  graceDays: number
  /** The panel's package of each plan, by the plan's id. */
  packages: Record<string, string>
  trialPackage: string
}

/** What the worker needs. `loadConfig` is called in every round; it returns null for manual provisioning. */
export type WorkerContext = {
  db: Db
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  key: () => Key
  loadConfig: () => Promise<ProvisioningConfig | null>
}

/** The configuration from the settings; null for manual provisioning. Throws when the stored panel key cannot be decrypted. */
export async function loadProvisioningConfig(db: Db, config: Config): Promise<ProvisioningConfig | null> {
  const [panel, { kind, address, server, graceDays, packages, trialPackage }] = await Promise.all([
    configuredPanel({ db, config }),
    settings.read(db, 'provisioning'),
  ])
  if (!panel) return null
  const panelId = `${kind} ${address}`
  return { panel, panelId, server: playerServer(server, config), graceDays, packages, trialPackage }
}

/** The address that customers enter in their players: the setting, or PANEL_URL where it is empty. */
export const playerServer = (server: string, { panel }: Pick<Config, 'panel'>): string => server || (panel?.url ?? '')
