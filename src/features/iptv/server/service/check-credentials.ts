import { sql } from 'drizzle-orm'
import { Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { IptvCredentials } from '../../contract.ts'
import { outcomes, type Verdict } from '../../rules.ts'
import { loginPanelOf } from '../panel.ts'

export type CheckContext = Pick<AppContext, 'config' | 'db' | 'log'>

/** Checks credentials with the panel. Throws 503 if they could not be checked, or 429 if the panel limits requests. */
export async function checkCredentials(
  { config, db, log }: CheckContext,
  user: SessionUser,
  credentials: IptvCredentials,
  requestId: string,
): Promise<Verdict> {
  const panel = await loginPanelOf(db, config, user.id)
  const { rows } = await db.execute<{ now: string }>(sql`select now()`)
  const verdict = await panel.checkLogin(
    credentials.iptvUsername,
    credentials.iptvPassword,
    new Date(rows[0]!.now).toISOString(),
  )
  const { kind, message } = outcomes[verdict.outcome]
  if (kind !== 'unknown') {
    const checked = { requestId, userId: user.id, panel: panel.host, outcome: verdict.outcome }
    if (verdict.outcome === 'not_found_or_rejected')
      log.warn(checked, 'the panel answered 404: wrong IPTV credentials, or the player API is not at this address')
    else log.info(checked, 'IPTV credentials checked')
    return verdict
  }
  const {
    outcome,
    why,
    retryAfterSeconds = outcome === 'rate_limited' ? 300 : 30,
  } = verdict as Exclude<Verdict, { outcome: 'ok' }>
  log.warn({ requestId, userId: user.id, panel: panel.host, outcome, why }, 'IPTV credentials could not be checked')
  const headers =
    outcome === 'not_configured' || outcome === 'held' ? undefined : { 'retry-after': String(retryAfterSeconds) }
  throw new Refusal(outcome === 'rate_limited' ? 429 : 503, `panel_${outcome}`, message, { headers })
}
