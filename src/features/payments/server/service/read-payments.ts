import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import { withVisibleMarks } from '#kit/untrusted-text.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import { invalid, notFound } from '#server/errors.ts'
import { contains } from '#server/lists/list-search.ts'
import type {
  IdenticalPayments,
  listPayments,
  PaymentGroup,
  PaymentRow,
  paymentListQuery,
} from '../../admin-contract.ts'
import type { DeskTab, Rail } from '../../rules.ts'
import { heldFor } from './lookup-statements.ts'

const pageSize = 50
/**
 * One row more than a page has, to find out whether there is a next page. It is a literal and not a parameter, so that the query planner takes it into account.
 */
const pageLimit = sql`limit 51`

type RawPayment = Omit<PaymentRow, 'decision' | 'difference'> & {
  due: number | null
  decisionAction: string | null
  decisionBy: string | null
  decisionAt: string | null
}
/** SQL for the name of the rule if it made a decision; null for other decisions. */
export const ruleName = (decisionId: SQL) =>
  sql<
    string | null
  >`(select 'the automatic rule' from payment_rule_results rule where rule.decision_id = ${decisionId})`
/** SQL for the columns of a payment row, for a query of `payment_cases c` with `joins`. The invoice of a decided payment is that of its newest allocation. */
const columns = sql`p.id::int, p.rail, p.amount, p.currency, c.open_cents as "openCents", p.payer_name as "payerName", p.payer_handle as "payerHandle", p.note,
  p.paid_at as "paidAt", p.paid_on::text as "paidOn", c.created_at as "createdAt", c.status, c.kind, c.ready, c.version, c.set_aside_until::text as "setAsideUntil",
  i.id as "invoiceId", i.invoice_number as "invoiceNumber", u.username as customer, i.amount - ${heldFor} as due, d.action as "decisionAction", coalesce(by.username, ${ruleName(sql`d.id`)}) as "decisionBy", d.created_at as "decisionAt"`
const joins = sql`join payments p on p.id = c.payment_id
  left join lateral (select invoice_id, user_id from payment_allocations where payment_id = p.id and amount > 0 and c.status in ('done', 'held') order by id desc limit 1) a on true
  left join invoices i on i.id = coalesce(a.invoice_id, case when c.status in ('open', 'set_aside') then c.top_invoice_id end)
  left join users u on u.id = coalesce(a.user_id, i.user_id)
  left join lateral (select id, action, decided_by, created_at from payment_decisions e where e.payment_id = p.id and e.action <> 'undo'
    and not exists (select from payment_decisions undo where undo.undoes_id = e.id) order by id desc limit 1) d on true
  left join users by on by.id = d.decided_by`

const toPaymentRow = ({ due, decisionAction, decisionBy, decisionAt, ...row }: RawPayment): PaymentRow => ({
  ...row,
  payerName: withVisibleMarks(row.payerName),
  payerHandle: withVisibleMarks(row.payerHandle),
  note: withVisibleMarks(row.note),
  paidAt: row.paidAt && new Date(row.paidAt).toISOString(),
  createdAt: new Date(row.createdAt).toISOString(),
  difference: due === null || row.openCents === 0 || row.kind === 'reversal' ? null : row.openCents - due,
  decision:
    (decisionAction && {
      action: decisionAction,
      by: decisionBy,
      at: new Date(decisionAt!).toISOString(),
    }) ||
    null,
})

/** Returns payments as lists show them. Unknown ids are ignored. */
export async function paymentRowsOf(db: Db | Tx, paymentIds: number[]): Promise<PaymentRow[]> {
  const { rows } = await db.execute<RawPayment>(
    sql`select ${columns} from payment_cases c ${joins} where c.payment_id = any(${sql.param(`{${paymentIds.join(',')}}`)}::bigint[])`,
  )
  return rows.map(toPaymentRow)
}

/** Returns one payment as lists show it. Throws 404. */
export const paymentRowOf = async (db: Db | Tx, paymentId: number): Promise<PaymentRow> =>
  (await paymentRowsOf(db, [paymentId]))[0] ?? notFound('Payment not found')

type Keys = { keys: SQL; order: SQL; where: SQL }
/** The conditions and orders of the tabs. The query of each tab uses a partial index of its own. */
const tabs: Record<DeskTab, Keys> = {
  waiting: {
    where: sql`c.status = 'open'`,
    keys: sql`(not c.ready), c.created_at, c.payment_id`,
    order: sql`(not c.ready), c.created_at, c.payment_id`,
  },
  held: {
    where: sql`c.status = 'held'`,
    keys: sql`c.created_at, c.payment_id`,
    order: sql`c.created_at, c.payment_id`,
  },
  set_aside: {
    where: sql`c.status = 'set_aside'`,
    keys: sql`c.created_at, c.payment_id`,
    order: sql`c.created_at, c.payment_id`,
  },
  refunds: {
    where: sql`c.payment_id in (${unsentRefunds()})`,
    keys: sql`c.created_at, c.payment_id`,
    order: sql`c.created_at, c.payment_id`,
  },
  done: {
    where: sql`c.status = 'done'`,
    keys: sql`c.changed_at, c.payment_id`,
    order: sql`c.changed_at desc, c.payment_id desc`,
  },
}
/** SQL that selects the payments with a planned refund that has not been sent. */
function unsentRefunds(): SQL {
  return sql`select payment_id from payment_allocations w where w.target = 'refund_due' and w.reverses_id is null
    and not exists (select from payment_allocations r where r.reverses_id = w.id)`
}

/** Returns one page of a tab, and the counts of the other tabs. Throws 400 for an unknown cursor. */
export async function readPayments(
  db: Db,
  { tab = 'waiting', search, alike, after }: z.output<typeof paymentListQuery>,
): Promise<Output<typeof listPayments>> {
  const { where, keys, order } = tabs[tab]
  const start = after ? cursorOf(tab, after) : undefined
  const [identicalGroups, { verificationHours }, sums] = await Promise.all([
    tab === 'waiting' ? readIdenticalGroups(db) : [],
    settings.read(db, 'payments'),
    totals(db),
  ])
  const hidden = search ? [] : identicalGroups.map(({ key }) => key)
  const beyond = start && (tab === 'done' ? sql`and (${keys}) < (${start})` : sql`and (${keys}) > (${start})`)
  const time = tab === 'done' ? sql`c.changed_at` : sql`c.created_at`
  // The limit is applied in the inner query, so that joins and cursors are only computed for the rows of the page.
  const { rows } = await db.execute<RawPayment & { cursor: string }>(sql`${search ? sql`` : prepared}
    select ${columns}, concat_ws('|', (not c.ready)::int, (extract(epoch from ${time}) * 1000000)::bigint, c.payment_id) as cursor from (
      select c.* from payment_cases c where ${where} ${found(search)} ${inIdenticalGroup(alike, hidden)} ${beyond ?? sql``} order by ${order} ${pageLimit}
    ) c ${joins} order by ${order}`)
  const page = rows.slice(0, pageSize)
  return {
    rows: page.map(({ cursor: _, ...row }) => toPaymentRow(row)),
    next: rows.length > pageSize ? page.at(-1)!.cursor : null,
    alike: identicalGroups,
    promiseMinutes: verificationHours * 60,
    ...sums,
    idle: tab === 'waiting' && sums.ready.count + sums.decide.count === 0 ? await readIdle(db) : null,
  }
}

async function readIdle(db: Db): Promise<Output<typeof listPayments>['idle']> {
  const { rows } = await db.execute<{ hasPayments: boolean; confirmedAt: string | null }>(sql`
    select exists (select from payments) as "hasPayments",
      (select created_at from payment_decisions where action = 'confirm' order by id desc limit 1) as "confirmedAt"`)
  const { hasPayments, confirmedAt } = rows[0]!
  return { hasPayments, confirmedAt: confirmedAt && new Date(confirmedAt).toISOString() }
}

/** Returns the groups of at least 20 identical payments from unknown senders, at most 20 groups. Each group is one entry of the list. */
async function readIdenticalGroups(db: Db): Promise<IdenticalPayments[]> {
  const { rows } = await db.execute<{ key: string; count: number }>(sql`${prepared}
    select alike as key, count(*)::int as count from payment_cases where status = 'open' and kind = 'unknown'
    group by alike having count(*) >= 20 order by count(*) desc, alike limit 20`)
  return rows.map(({ key, count }) => {
    const [rail, amount, currency = 'USD'] = key.split(' ')
    return { key, rail: rail as Rail, amount: Number(amount), currency, count }
  })
}

/** SQL condition for the payments of the group `key`, or, without `key`, for the payments that are in none of the `hidden` groups. */
function inIdenticalGroup(key: string | undefined, hidden: string[]): SQL {
  if (key !== undefined) return sql`and c.kind = 'unknown' and c.alike = ${key}`
  return hidden.length === 0 ? sql`` : sql`and not (c.kind = 'unknown' and c.alike = any(${sql.param(hidden)}::text[]))`
}

/** Must be identical to the expression of the index `payments_search`. */
const searched = sql`lower(s.payer_name || ' ' || s.payer_handle || ' ' || s.note || ' ' || coalesce(s.provider_reference, ''))`
/** SQL condition for the payments that contain the search text, or belong to the order with this number. */
function found(search: string | undefined): SQL {
  if (!search) return sql``
  const order = sql`(select id from invoices where invoice_number = ${search.toUpperCase()})`
  return sql`and (c.payment_id in (select s.id from payments s where ${contains(searched, search)}) or c.top_invoice_id = ${order}
    or c.payment_id in (select payment_id from payment_allocations where invoice_id = ${order}))`
}

/** Parses a cursor of `readPayments`: whether the payment is ready, its time in microseconds and its id. */
function cursorOf(tab: DeskTab, text: string): SQL {
  const [, ready, at, id] = /^([01])\|(\d{1,16})\|(\d{1,15})$/.exec(text) ?? []
  if (!at) return invalid('after', 'Unknown page')
  const time = sql`timestamptz 'epoch' + ${`${at} microseconds`}::interval`
  return tab === 'waiting' ? sql`${ready === '1'}::boolean, ${time}, ${id}::bigint` : sql`${time}, ${id}::bigint`
}

/** Counting stops at this number, so that a very long list does not slow down every request. */
const countLimit = sql`limit 100000`

type CurrencySum = { ready: boolean; currency: string; count: number; cents: string }

/** Returns the counts of the tabs and the sums of the open payments. Only reads the cases, because the last word of `alike` is the currency. */
async function totals(db: Db) {
  const [open, counts] = await Promise.all([
    db.execute<CurrencySum>(sql`${prepared}
      select ready, currency, count(*)::int as count, coalesce(sum(open_cents) filter (where kind <> 'reversal'), 0) as cents
      from (select ready, open_cents, kind, split_part(alike, ' ', 3) as currency from payment_cases where status = 'open' ${countLimit}) c
      group by 1, 2 order by currency <> 'USD', 2`),
    db.execute<{ held: number; set_aside: number; refunds: number }>(sql`${prepared}
      select (select count(*)::int from (select from payment_cases where status = 'held' ${countLimit}) h) as held,
        (select count(*)::int from (select from payment_cases where status = 'set_aside' ${countLimit}) s) as set_aside,
        (select count(*)::int from (${unsentRefunds()} ${countLimit}) w) as refunds`),
  ])
  return {
    ready: groupOf(open.rows.filter(({ ready }) => ready)),
    decide: groupOf(open.rows.filter(({ ready }) => !ready)),
    counts: counts.rows[0]!,
  }
}

const groupOf = (sums: CurrencySum[]): PaymentGroup => ({
  count: sums.reduce((total, { count }) => total + count, 0),
  sums: sums.map(({ currency, cents }) => ({ currency, cents: Number(cents) })),
})
