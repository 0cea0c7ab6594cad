import type { Logger } from 'pino'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Key } from '#server/secrets/keys.ts'
import type { ProvisioningPanel } from './panels/adapter.ts'
import { configuredPanel } from './panels/configured.ts'

/** A configured panel and what the operator says about lines on it. */
export type Terms = {
  panel: ProvisioningPanel
  /** Tells one panel from another: numbers of lines hold on theirs only. */
  name: string
  /** What customers enter in their players. */
  server: string
  graceDays: number
  /** The panel's package of each plan, by the plan's id. */
  packages: Record<string, string>
  trialPackage: string
}

/** What the worker works with. `terms` is asked anew for every round; null where lines are made by hand. */
export type Works = {
  db: Db
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  key: () => Key
  terms: () => Promise<Terms | null>
}

/** The panel that the settings choose and the operator's terms; null where lines are made by hand. Throws when no key of ours opens the panel's. */
export async function termsOf(db: Db, config: Config): Promise<Terms | null> {
  const [panel, { kind, address, server, graceDays, packages, trialPackage }] = await Promise.all([
    configuredPanel({ db, config }),
    settings.read(db, 'provisioning'),
  ])
  return (
    panel && { panel, name: `${kind} ${address}`, server: serverOf(server, config), graceDays, packages, trialPackage }
  )
}

/** What customers enter in their players: the operator's word, else the address that accounts are checked at. */
export const serverOf = (server: string, { panel }: Pick<Config, 'panel'>): string => server || (panel?.url ?? '')
