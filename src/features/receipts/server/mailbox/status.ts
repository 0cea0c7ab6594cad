import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { limits } from '#server/limits.ts'
import { type MailboxStatus, maxEmailsToReview } from '../../admin-mailbox-contract.ts'
import type { MailboxState } from '../../mailbox-rules.ts'
import { quietSince } from './quiet.ts'

type Row = {
  now: string
  enabledAt: string | null
  checkedAt: string | null
  failingSince: string | null
  pausedSince: string | null
  lastFailure: string | null
  lastSeen: string | null
  isSilent: boolean
  toReview: number
}

/** SQL condition for emails that an administrator has to review. It must be identical to the condition of the index `payment_mails_to_review`. */
export const isToReview = sql`reviewed_at is null and outcome <> 'not_a_payment' and reason is not null`

/** Returns the state of the mailbox, and how many emails need a review. */
export async function readMailboxStatus(db: Db): Promise<MailboxStatus> {
  const [{ username }, quiet, { rows }] = await Promise.all([
    settings.read(db, 'mailbox'),
    quietSince(db),
    db.execute<Row>(sql`
      select now() as now, enabled_at as "enabledAt", checked_at as "checkedAt", failing_since as "failingSince", paused_since as "pausedSince",
        last_failure as "lastFailure", greatest(checked_at, enabled_at) as "lastSeen",
        coalesce(greatest(checked_at, enabled_at) < now() - make_interval(mins => ${limits.mailbox.silentMinutes}), false) as "isSilent",
        (select count(*)::int from (select from payment_mails where ${isToReview} order by id desc limit ${maxEmailsToReview}) m) as "toReview"
      from mailbox_reader`),
  ])
  const row = rows[0]!
  const state = stateOf(row)
  const since = { paused: row.pausedSince, silent: row.lastSeen, failing: row.failingSince, starting: row.enabledAt }
  return {
    state,
    username,
    checkedAt: iso(row.checkedAt),
    since: iso((since as Partial<Record<MailboxState, string | null>>)[state] ?? null),
    message: row.lastFailure,
    quietSince: quiet,
    toReview: row.toReview,
    now: iso(row.now)!,
  }
}

function stateOf({ enabledAt, pausedSince, isSilent, failingSince, checkedAt }: Row): MailboxState {
  if (!enabledAt) return 'off'
  if (pausedSince) return 'paused'
  if (isSilent) return 'silent'
  if (failingSince) return 'failing'
  return checkedAt && checkedAt >= enabledAt ? 'ok' : 'starting'
}

const iso = (value: string | null): string | null => value && new Date(value).toISOString()
