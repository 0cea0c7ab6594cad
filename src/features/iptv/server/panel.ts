import type { Instant } from '#kit/dates.ts'
import type { Config } from '#server/config.ts'
import type { Verdict } from '../rules.ts'
import { xtreamLoginPanel } from './xtream/login-check.ts'

/** The port: whatever knows whether a line exists. Never throws for what a panel says or fails to say. */
export type LoginPanel = {
  /** For the log. */
  host: string
  /** Asks once, within 6 s; `now` is the moment that expiry dates are held against. */
  checkLogin: (username: string, password: string, now: Instant) => Promise<Verdict>
}

const noPanel: LoginPanel = { host: 'none', checkLogin: async () => ({ outcome: 'not_configured' }) }
// One for each configuration, since its breaker remembers.
const panels = new WeakMap<Config, LoginPanel>()

/** The panel of the settings; without one every check ends in `not_configured`. */
export function loginPanel(config: Config): LoginPanel {
  if (!config.panel) return noPanel
  const known = panels.get(config) ?? xtreamLoginPanel(config.panel)
  panels.set(config, known)
  return known
}
