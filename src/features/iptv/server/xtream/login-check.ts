import type { PanelConfig } from '#server/config.ts'
import { Outbound, OutboundFailure } from '#server/outbound/outbound.ts'
import { CircuitBreaker, CircuitOpenError } from '#server/overload/circuit-breaker.ts'
import type { Outcome, Verdict } from '../../rules.ts'
import type { LoginPanel } from '../login-panel.ts'
import { verdictOf } from './login-answer.ts'

type Options = PanelConfig & { totalMs?: number; clock?: () => number }

const failures = new Set<Outcome>(['unreachable', 'provider_error', 'rate_limited'])
/**
 * Whether the circuit breaker counts a verdict as a failure of the panel. Outcomes that one customer can cause do not count, and neither does our own
 * concurrency limit, because the breaker blocks all customers.
 */
export function hasFailed(verdict: Verdict): boolean {
  const why = 'why' in verdict ? verdict.why : undefined
  return why === 'HTTP 429' || (failures.has(verdict.outcome) && why !== 'busy')
}

/** Creates a client that checks credentials with the Xtream player API: a call without an action returns the state of the line. */
export function xtreamLoginPanel({ url, allowPrivate, userAgent, neverExpires, totalMs, clock }: Options): LoginPanel {
  const outbound = new Outbound({ base: url, allowPrivate, userAgent, totalMs })
  const breaker = new CircuitBreaker({ now: clock })

  const ask = async (username: string, password: string, now: string): Promise<Verdict> => {
    try {
      return verdictOf(await outbound.get('player_api.php', { username, password }), { now, neverExpires })
    } catch (error) {
      if (error instanceof OutboundFailure && error.code === 'held') return { outcome: 'held' }
      if (error instanceof OutboundFailure)
        return { outcome: error.code === 'too_large' ? 'bad_response' : 'unreachable', why: error.code }
      throw error
    }
  }

  return {
    host: new URL(url).host,
    checkLogin: async (username, password, now) => {
      try {
        return await breaker.run(() => ask(username, password, now), hasFailed)
      } catch (error) {
        if (error instanceof CircuitOpenError)
          return { outcome: 'unreachable', why: 'breaker_open', retryAfterSeconds: error.retryAfterSeconds }
        throw error
      }
    },
  }
}
