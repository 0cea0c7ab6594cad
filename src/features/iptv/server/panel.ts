import type { Config } from '#server/config.ts'
import type { LoginPanel } from './login-panel.ts'
import { xtreamLoginPanel } from './xtream/login-check.ts'

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
