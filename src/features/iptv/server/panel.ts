import type { Config, PanelConfig } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { LoginPanel } from './login-panel.ts'
import { serverOfLine } from './server-of-line.ts'
import { xtreamLoginPanel } from './xtream/login-check.ts'
import { playerUserAgent } from './xtream/player-address.ts'

const noPanel: LoginPanel = { host: 'none', checkLogin: async () => ({ outcome: 'not_configured' }) }
// One client for each configuration and address, so that it keeps its circuit breaker.
const clients = new WeakMap<Config, Map<string, LoginPanel>>()

function clientFor(config: Config, panel: PanelConfig): LoginPanel {
  const known = clients.get(config) ?? new Map<string, LoginPanel>()
  clients.set(config, known)
  const client = known.get(panel.url) ?? xtreamLoginPanel(panel)
  known.set(panel.url, client)
  return client
}

/** The panel at PANEL_URL. Without PANEL_URL, every check ends with `not_configured`. */
const loginPanel = (config: Config): LoginPanel => (config.panel ? clientFor(config, config.panel) : noPanel)

/** The panel that checks a customer's credentials: the panel of their line or, for the main panel and without a line, the panel at PANEL_URL. */
export async function loginPanelOf(db: Db, config: Config, userId: number): Promise<LoginPanel> {
  const url = await serverOfLine(db, userId)
  if (url === null) return loginPanel(config)
  const { userAgent = playerUserAgent, neverExpires = [] } = config.panel ?? {}
  return clientFor(config, { url, allowPrivate: config.panelAllowPrivate, userAgent, neverExpires })
}
