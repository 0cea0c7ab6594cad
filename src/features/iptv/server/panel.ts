import type { Config } from '#server/config.ts'
import type { Panel } from './login-check.ts'
import { xtreamPanel } from './xtream-panel.ts'

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
