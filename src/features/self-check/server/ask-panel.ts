import { outcomes } from '#features/iptv/rules.ts'
import type { LoginPanel } from '#features/iptv/server/login-panel.ts'
import { xtreamLoginPanel } from '#features/iptv/server/xtream/login-check.ts'
import type { LineToWatch } from '#features/watch/server/plays/line-to-watch.ts'
import type { Config } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import type { ServerFacts } from '../contract.ts'

export type PanelAnswer = { login: ServerFacts['line']['login']; panelMs: number | null }

// One client for each panel, so that it keeps its circuit breaker.
const panels = new WeakMap<Config, Map<string, LoginPanel>>()
/** Accepted logins by customer, so that repeated checks do not call the panel. */
const accepted = new Map<number, { at: number; username: string; panelMs: number }>()
const acceptedMs = 60_000

function panelOf(config: Config, { base, userAgent }: LineToWatch): LoginPanel {
  const known = panels.get(config) ?? new Map<string, LoginPanel>()
  panels.set(config, known)
  const panel =
    known.get(base.href) ??
    xtreamLoginPanel({
      url: base.href,
      allowPrivate: config.panelAllowPrivate,
      userAgent,
      neverExpires: config.panel?.neverExpires ?? [],
      totalMs: limits.selfCheck.stepMs,
    })
  known.set(base.href, panel)
  return panel
}

/** Whether the panel accepts the line, by its login call. An accepted login is remembered for a minute. Does not throw when the panel fails. */
export async function askPanel(config: Config, userId: number, line: LineToWatch): Promise<PanelAnswer> {
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
