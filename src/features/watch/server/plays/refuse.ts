import { Refusal } from '#server/errors.ts'
import { type Reason, reasons } from '../../rules.ts'

const statuses: Partial<Record<Reason, Refusal['status']>> = {
  expired: 403,
  paused: 403,
  territory: 403,
  not_licensed: 403,
  archive_missing: 404,
  channel_down: 503,
  panel_down: 503,
  relay_full: 503,
}
/** Seconds until a retry may succeed. */
const retryAfter: Partial<Record<Reason, number>> = { too_many: 2, channel_down: 15, panel_down: 15, relay_full: 10 }

/** Throws a refusal with the reason as its code and our text as its message. */
export function refuse(reason: Reason): never {
  const seconds = retryAfter[reason]
  throw new Refusal(statuses[reason] ?? 409, reason, reasons[reason], {
    ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
  })
}
