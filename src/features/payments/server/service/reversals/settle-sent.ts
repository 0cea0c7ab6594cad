import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import type { Rail } from '../../../rules.ts'
import { commonTokens } from '../../matching/names.ts'
import { inForce, lockCases } from '../book.ts'
import { recordRefundSent } from '../mark-refund-sent.ts'

/** Money that the operator sent, as the provider or a statement reports it. `at` is an ISO 8601 instant in UTC. */
export type SentMoney = {
  rail: Rail
  cents: number
  currency: string
  recipient: string
  reference: string | null
  at: string
}
type Planned = { paymentId: number; names: string[] }

/**
 * Marks a planned refund as sent if exactly one has this rail, amount and recipient, and no refund has this transaction number. A refund that was planned more
 * than a day after the money was sent is ignored, because that money was for something else. If an identical refund is already marked as sent, nothing is
 * marked, because an email, a statement and an administrator may use different numbers for the same transaction. Returns the id of the payment of the marked
 * refund, otherwise null.
 */
export async function settleSent(tx: Tx, sent: SentMoney): Promise<number | null> {
  const { rail, cents, currency, recipient, reference, at } = sent
  const { rows } = await tx.execute<Planned>(sql`
    select p.id::int as "paymentId", array_agg(w.refund_reference) || p.payer_handle || p.payer_name as names
    from payment_allocations w join payments p on p.id = w.payment_id
    where w.target = 'refund_due' and w.reverses_id is null and not exists (select from payment_allocations r where r.reverses_id = w.id)
      and p.rail = ${rail} and p.currency = ${currency} and w.created_at < ${at}::timestamptz + interval '1 day'
      and not exists (select from payment_allocations s where s.target = 'refund_sent' and s.refund_reference = ${reference}::text)
    group by p.id having sum(w.amount) = ${cents} order by p.id limit 100`)
  const fitting = rows.filter(({ names }) => names.some((name) => isSame(name, recipient)))
  const [planned, another] = fitting
  if (!planned || another || (await isSentAlready(tx, sent))) return null
  await lockCases(tx, [planned.paymentId])
  const due = (await inForce(tx, { paymentId: planned.paymentId })).filter(({ target }) => target === 'refund_due')
  if (due.reduce((sum, { amount }) => sum + amount, 0) !== cents) return null
  await recordRefundSent(tx, planned.paymentId, due, {
    reference: reference ?? 'Reported by the provider',
    decidedBy: null,
  })
  return planned.paymentId
}

/** Whether an identical refund to this recipient was marked as sent after `at`, with a tolerance of one day. */
async function isSentAlready(tx: Tx, { rail, cents, currency, recipient, at }: SentMoney): Promise<boolean> {
  const { rows } = await tx.execute<Planned>(sql`
    select p.id::int as "paymentId", p.payer_handle || (p.payer_name || array(
      select w.refund_reference from payment_allocations w where w.payment_id = p.id and w.target = 'refund_due')) as names
    from payment_allocations s join payments p on p.id = s.payment_id
    where s.target = 'refund_sent' and s.created_at >= ${at}::timestamptz - interval '1 day' and p.rail = ${rail} and p.currency = ${currency}
    group by p.id having sum(s.amount) = ${cents}`)
  return rows.some(({ names }) => names.some((name) => isSame(name, recipient)))
}

/** Like `settleSent`, for all rows of a statement. Returns how many refunds were marked as sent. */
export async function settleAllSent(tx: Tx, all: SentMoney[]): Promise<number> {
  if (all.length === 0) return 0
  const { rows } = await tx.execute<{ cents: number }>(sql`
    select distinct sum(w.amount)::int as cents from payment_allocations w where w.target = 'refund_due' and w.reverses_id is null
      and not exists (select from payment_allocations r where r.reverses_id = w.id) group by w.payment_id`)
  const planned = new Set(rows.map(({ cents }) => cents))
  let settled = 0
  for (const sent of all.filter(({ cents }) => planned.has(cents))) if (await settleSent(tx, sent)) settled++
  return settled
}

const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase().replace(/^[@$]/, '')
const isSame = (name: string | null, recipient: string): boolean =>
  Boolean(name) && (folded(name!) === folded(recipient) || commonTokens(name, recipient) >= 2)
