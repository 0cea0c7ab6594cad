import { type SQL, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inquiries, invoices, lineJobs, reports, trialRequests } from '#server/db/tables.ts'
import { countedTotal, countedTotalWhere, exactCountLimit } from '#server/lists/list-count.ts'
import type { Reader } from '#server/session/session.ts'
import type { WorkCounts } from '../../admin-contract.ts'
import { workPermission } from '../../queue-rules.ts'
import { promiseFor, type WorkKind, workKinds } from '../../rules.ts'
import { isPaymentToCheck, isTicketWaiting, isWithoutLink, waitsSince } from '../waiting-work.ts'

/** Kinds that are counted row by row, up to a limit. The other kinds have stored counters. */
const countedUpToLimit: ReadonlySet<WorkKind> = new Set(['payment', 'card_link', 'received', 'ticket'])
type Row = { kind: WorkKind | null; count: number; oldest: string | null }

/** Selects the number of waiting invoices, up to `exactCountLimit`, and the oldest time, from the partial index with this condition. */
const waitingInvoices = (condition: SQL) => sql`count(*)::int as count, min(since) as oldest from (
  select ${waitsSince} as since from ${invoices} where ${condition}
  order by ${waitsSince}, ${invoices.id} limit ${exactCountLimit + 1}) as waiting`

/** Selects the creation time of the first open payment case in the order of the index `payment_cases_open`, in which exact matches come first. */
const firstCase = (
  condition = sql`true`,
) => sql`(select created_at from payment_cases where status = 'open' and ${condition}
  order by (not ready), created_at, payment_id limit 1)`

const kinds: Record<WorkKind, SQL> = {
  payment: waitingInvoices(isPaymentToCheck),
  card_link: waitingInvoices(isWithoutLink),
  received: sql`(select count(*)::int from (select from payment_cases where status = 'open' limit ${exactCountLimit + 1}) as open),
    least(${firstCase()}, ${firstCase(sql`(not ready)`)})`,
  // Jobs are created in the order of their ids.
  line: sql`${countedTotalWhere('line_jobs', sql`head = 'task'`)},
    (select ${lineJobs.createdAt} from ${lineJobs} where ${lineJobs.task} is not null order by ${lineJobs.id} limit 1)`,
  trial: sql`${countedTotal('trial_requests', 'pending')},
    (select ${trialRequests.requestDate} from ${trialRequests} where ${trialRequests.status} = 'pending'
     order by ${trialRequests.requestDate}, ${trialRequests.id} limit 1)`,
  report: sql`${countedTotal('reports', 'pending')},
    (select ${reports.createdAt} from ${reports} where ${reports.status} = 'pending'
     order by ${reports.createdAt}, ${reports.id} limit 1)`,
  inquiry: sql`${countedTotal('inquiries', 'open')},
    (select ${inquiries.createdAt} from ${inquiries} where ${inquiries.status} = 'open'
     order by ${inquiries.createdAt}, ${inquiries.id} limit 1)`,
  ticket: sql`count(*)::int, min(waiting_since) from (
    select waiting_since from tickets where ${isTicketWaiting} order by waiting_since, id limit ${exactCountLimit + 1}) as waiting`,
}

/**
 * Returns how many items of each kind are waiting, and since when the oldest has been waiting. Kinds without a stored counter are counted up to
 * `exactCountLimit`. Kinds that the administrator may not see count as empty.
 */
export async function countWork(db: Db, { permissions }: Pick<Reader, 'permissions'>): Promise<WorkCounts> {
  const seen = workKinds.filter((kind) => permissions.includes(workPermission[kind]))
  const all = sql.join(
    [
      sql`(select null::text as kind, 0 as count, null::timestamptz as oldest)`,
      ...seen.map((kind) => sql`(select ${kind}::text, ${kinds[kind]})`),
    ],
    sql` union all `,
  )
  const [hours, { rows }] = await Promise.all([settings.read(db, 'payments'), db.execute<Row>(all)])
  const none = Object.fromEntries(
    workKinds.map((kind) => [
      kind,
      { count: 0, isMinimum: false, oldest: null, promiseMinutes: promiseFor(kind, hours) },
    ]),
  )
  const found = Object.fromEntries(
    rows.flatMap(({ kind, count, oldest }) =>
      kind
        ? [
            [
              kind,
              {
                count: Math.min(count, exactCountLimit),
                isMinimum: count > exactCountLimit && countedUpToLimit.has(kind),
                oldest: oldest && new Date(oldest).toISOString(),
                promiseMinutes: promiseFor(kind, hours),
              },
            ],
          ]
        : [],
    ),
  )
  return { ...none, ...found } as WorkCounts
}
