import { type SQL, sql } from 'drizzle-orm'
import { reviewFlagLabel, reviewFlags } from '#features/billing/rules.ts'
import { adminInvoices } from '#features/billing/server/service/read-invoices.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { exactCountLimit } from '#server/lists/list-count.ts'
import type { Reader } from '#server/session/session.ts'
import { type Queue, type QueueItem, queueLength } from '../../admin-queue-contract.ts'
import {
  byTimeLeft,
  groupCases,
  type QueueFilter,
  type QueueKind,
  queueFilters,
  queuePromise,
  workPermission,
} from '../../queue-rules.ts'
import type { PromisedHours } from '../../rules.ts'
import { isExactMatch, isMailboxUnread, isToMatch } from '../waiting-work.ts'
import { countWork } from './count-work.ts'
import { type Candidate, findCandidates } from './queue-candidates.ts'
import {
  inquiriesOf,
  linesOf,
  mailboxesOf,
  receivedOf,
  refundsOf,
  reportsOf,
  ticketsOf,
  trialsOf,
} from './queue-details.ts'

/** An entry before its details are read. `ids` are the ids of its rows: several for a case of reports. */
type Entry = { kind: QueueKind; key: string; ids: number[]; since: string; promiseMinutes: number }

/** Returns the entries with the least time left, of those kinds in the filter that the administrator may see. The administrator's own invoices are flagged. */
export async function readQueue(db: Db, show: QueueFilter, reader: Reader): Promise<Queue> {
  const payments = await settings.read(db, 'payments')
  const sees = (kind: QueueKind) => reader.permissions.includes(workPermission[kind])
  const kinds = queueFilters[show].kinds.filter(sees)
  const [{ now, candidates }, counts, refund, received, exact, mailbox] = await Promise.all([
    findCandidates(db, kinds),
    countWork(db, reader),
    sees('refund') ? countRows(db, sql`refund_requests where status = 'pending' order by created_at, id`) : none,
    sees('received') ? countRows(db, sql`payment_cases where ${isToMatch} order by created_at, payment_id`) : none,
    sees('received')
      ? countRows(db, sql`payment_cases where ${isExactMatch} order by (not ready), created_at, payment_id`)
      : none,
    sees('mailbox') ? countUnreadMailboxes(db) : none,
  ])
  const entries = entriesOf(candidates, payments).sort(byTimeLeft).slice(0, queueLength)
  const items = await withDetails(db, entries, reader.id)
  return { now, exact, totals: { ...counts, refund, received, mailbox }, items }
}

const none = { count: 0, isMinimum: false }

function entriesOf(candidates: Candidate[], hours: PromisedHours): Entry[] {
  const reports = candidates.filter(({ kind }) => kind === 'report')
  return [
    ...candidates
      .filter(({ kind }) => kind !== 'report')
      .map(({ kind, id, since }) => ({
        ...{ kind, key: `${kind}:${id}`, ids: [id], since },
        promiseMinutes: queuePromise(kind, hours),
      })),
    ...groupCases(reports, hours).map(({ ids, since, isBurst }) => ({
      ...{ kind: 'report' as const, key: `report:${ids[0]}`, ids, since },
      promiseMinutes: queuePromise('report', hours, isBurst),
    })),
  ]
}

/** Reads the details of the entries with one query for each kind. An entry that was decided in the meantime is left out. */
async function withDetails(db: Db, entries: Entry[], adminId: number): Promise<QueueItem[]> {
  const idsOf = (...kinds: QueueKind[]) => entries.filter(({ kind }) => kinds.includes(kind)).map(({ ids }) => ids[0]!)
  const [invoices, lines, trials, reports, inquiries, tickets, refunds, received, mailboxes] = await Promise.all([
    read(idsOf('payment', 'card_link'), (ids) => adminInvoices(db, ids)),
    read(idsOf('line'), (ids) => linesOf(db, ids)),
    read(idsOf('trial'), (ids) => trialsOf(db, ids)),
    read(idsOf('report'), (ids) => reportsOf(db, ids)),
    read(idsOf('inquiry'), (ids) => inquiriesOf(db, ids)),
    read(idsOf('ticket'), (ids) => ticketsOf(db, ids)),
    read(idsOf('refund'), (ids) => refundsOf(db, ids)),
    read(idsOf('received'), (ids) => receivedOf(db, ids)),
    read(idsOf('mailbox'), (ids) => mailboxesOf(db, ids)),
  ])
  return entries.flatMap(({ kind, ids, ...waiting }): QueueItem[] => {
    const id = ids[0]!
    if (kind === 'payment' || kind === 'card_link') {
      const invoice = invoices.get(id)
      if (!invoice) return []
      const { userId, username, amount, invoiceNumber, version, planName, paymentMethod: method } = invoice
      const shown = { ...waiting, invoiceId: id, invoiceNumber, userId, username, amount, version }
      if (kind === 'card_link') return [{ kind, ...shown }]
      const flags = reviewFlags(invoice, adminId).map((flag) => reviewFlagLabel(flag, invoice))
      return [{ kind, ...shown, planName, method, flags }]
    }
    if (kind === 'report') {
      const first = reports.get(id)
      return first ? [{ kind, ...waiting, reports: ids, ...first }] : []
    }
    const found = {
      line: lines,
      trial: trials,
      inquiry: inquiries,
      ticket: tickets,
      refund: refunds,
      received,
      mailbox: mailboxes,
    }[kind].get(id)
    return found ? [{ kind, ...waiting, ...found } as QueueItem] : []
  })
}

async function read<Row extends { id: number }>(
  ids: number[],
  rowsOf: (ids: number[]) => Promise<Row[]>,
): Promise<Map<number, Row>> {
  return new Map(ids.length > 0 ? (await rowsOf(ids)).map((row) => [row.id, row]) : [])
}

/** Counts waiting rows up to `exactCountLimit`. `from` is a table, a condition and the order of the index to use. */
async function countRows(db: Db, from: SQL): Promise<{ count: number; isMinimum: boolean }> {
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count from (
    select from ${from} limit ${exactCountLimit + 1}) as open`)
  const { count } = rows[0]!
  return { count: Math.min(count, exactCountLimit), isMinimum: count > exactCountLimit }
}

/** Returns the count 1 while the payment mailbox is not being read, otherwise 0. */
async function countUnreadMailboxes(db: Db): Promise<{ count: number; isMinimum: boolean }> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from mailbox_reader where ${isMailboxUnread}`,
  )
  return { count: rows[0]!.count, isMinimum: false }
}
