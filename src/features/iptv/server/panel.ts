import type { Instant } from '#kit/dates.ts'
import type { Config } from '#server/config.ts'
import type { Verdict } from '../rules.ts'
import { xtreamLoginPanel } from './xtream/login-check.ts'

/** The port to the panel that checks a customer's own credentials. Does not throw when the panel fails. */
export type LoginPanel = {
  /** For the log. */
  host: string
  /** Makes one call of at most 6 s. Expiry dates are compared with `now`. */
  checkLogin: (username: string, password: string, now: Instant) => Promise<Verdict>
}

const noPanel: LoginPanel = { host: 'none', checkLogin: async () => ({ outcome: 'not_configured' }) }
// One panel for each configuration, so that it keeps its circuit breaker.
const panels = new WeakMap<Config, LoginPanel>()

/** The panel of PANEL_URL. Without one, every check ends in `not_configured`. */
export function loginPanel(config: Config): LoginPanel {
  if (!config.panel) return noPanel
  const known = panels.get(config) ?? xtreamLoginPanel(config.panel)
  panels.set(config, known)
  return known
}
