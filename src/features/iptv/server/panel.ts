import type { Instant } from '#kit/dates.ts'
import type { Config } from '#server/config.ts'
import type { Verdict } from '../rules.ts'
import { xtreamPanel } from './xtream/login-check.ts'

/** The port: whatever knows whether a line exists. Never throws for what a panel says or fails to say. */
export type Panel = {
  /** For the log. */
  host: string
  /** Asks once, within 6 s; `now` is the moment that expiry dates are held against. */
  checkLogin: (username: string, password: string, now: Instant) => Promise<Verdict>
}

const noPanel: Panel = { host: 'none', checkLogin: async () => ({ outcome: 'not_configured' }) }
// One for each configuration, since its breaker remembers.
const panels = new WeakMap<Config, Panel>()

/** The panel of the settings; without one every check ends in `not_configured`. */
export function panelOf(config: Config): Panel {
  if (!config.panel) return noPanel
  const known = panels.get(config) ?? xtreamPanel(config.panel)
  panels.set(config, known)
  return known
}
