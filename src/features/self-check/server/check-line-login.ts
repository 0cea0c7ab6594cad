import { outcomes } from '#features/iptv/rules.ts'
import type { LoginPanel } from '#features/iptv/server/login-panel.ts'
import { xtreamLoginPanel } from '#features/iptv/server/xtream/login-check.ts'
import type { LineToWatch } from '#features/watch/server/plays/line-to-watch.ts'
import type { Config } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import type { ServerFacts } from '../contract.ts'

export type LoginCheck = { login: ServerFacts['line']['login']; panelMs: number | null }

// One client for each panel, so that the panel keeps its circuit breaker.
const panels = new WeakMap<Config, Map<string, LoginPanel>>()
/** Recently accepted logins by customer id, so that repeated checks do not call the panel. */
const accepted = new Map<number, { at: number; username: string; panelMs: number }>()
const acceptedMs = 60_000

function panelOf(config: Config, { base, userAgent }: LineToWatch): LoginPanel {
  const clients = panels.get(config) ?? new Map<string, LoginPanel>()
  panels.set(config, clients)
  const panel =
    clients.get(base.href) ??
    xtreamLoginPanel({
      url: base.href,
      allowPrivate: config.panelAllowPrivate,
      userAgent,
      neverExpires: config.panel?.neverExpires ?? [],
      totalMs: limits.selfCheck.stepMs,
    })
  clients.set(base.href, panel)
  return panel
}

/**
 * Checks with a login call whether the panel accepts the credentials of the line. An accepted login is cached for a minute. Does not throw if the panel fails.
 */
export async function checkLineLogin(config: Config, userId: number, line: LineToWatch): Promise<LoginCheck> {
  const known = accepted.get(userId)
  if (known && known.username === line.username && performance.now() - known.at < acceptedMs)
    return { login: 'ok', panelMs: known.panelMs }
  const start = performance.now()
  const { outcome } = await panelOf(config, line).checkLogin(line.username, line.password(), new Date().toISOString())
  const panelMs = Math.round(performance.now() - start)
  const { kind } = outcomes[outcome]
  if (kind === 'valid') {
    if (accepted.size >= 10_000) accepted.clear()
    accepted.set(userId, { at: performance.now(), username: line.username, panelMs })
    return { login: 'ok', panelMs }
  }
  if (kind === 'refused') return { login: 'refused', panelMs }
  const isSilent = outcome === 'unreachable' || outcome === 'provider_error'
  return { login: isSilent ? 'no_answer' : 'not_asked', panelMs: isSilent ? null : panelMs }
}
