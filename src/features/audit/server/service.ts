import { and, eq, gte, inArray, lt, or, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import { parseIdSearch } from '#kit/text.ts'
import type { Db } from '#server/db/connect.ts'
import { auditLog, invoices, users } from '#server/db/tables.ts'
import { sortBuckets } from '#server/lists/counted-lists.ts'
import { type List, readPage } from '#server/lists/list.ts'
import { countedTotalWhere } from '#server/lists/list-count.ts'
import type { AuditEntry, auditListQuery, auditSorts } from '../admin-contract.ts'

type Query = z.output<typeof auditListQuery>

const startOf = (day: string) => sql`${day}::date::timestamp at time zone 'UTC'`
const endOf = (day: string) => sql`(${day}::date + 1)::timestamp at time zone 'UTC'`

/** How many entries of which action and kind of target there are is kept; whose and on which days has to be counted. */
const isKept = ({ search, from, to }: Query) => !search && !from && !to
const ofKind = ({ action, targetType }: Query) =>
  and(action ? sql`status = ${action}` : undefined, targetType ? sql`head = ${targetType}` : undefined)

/** The whole log; the search is for a part of the actor's name or address, for a request by its id, or for the target with a number. */
export const auditList: List<AuditEntry, (typeof auditSorts)[number], Query> = {
  table: auditLog,
  sorts: { at: [auditLog.at] },
  where: ({ search, action, targetType, from, to }, ofUser) => {
    const number = parseIdSearch(search ?? '')
    const person = search ? or(ofUser(auditLog.actorId), eq(auditLog.requestId, search.trim())) : undefined
    const found = number ? eq(auditLog.targetId, String(number)) : person
    return and(
      found,
      action ? eq(auditLog.action, action) : undefined,
      targetType ? eq(auditLog.targetType, targetType) : undefined,
      from ? gte(auditLog.at, startOf(from)) : undefined,
      to ? lt(auditLog.at, endOf(to)) : undefined,
    )
  },
  buckets: { at: sortBuckets('audit_log', 'at') },
  bucketFilter: (asked) => (isKept(asked) ? { list: 'audit_log', filter: ofKind(asked) } : undefined),
  countedTotal: (asked) => (isKept(asked) ? countedTotalWhere('audit_log', ofKind(asked)) : undefined),
  rows: readEntries,
}

/** One page of the audit log, newest first. */
export const listAuditLog = (db: Db, query: Query): Promise<Page<AuditEntry>> => readPage(db, auditList, query)

async function readEntries(db: Db, ids: number[]): Promise<AuditEntry[]> {
  const rows = await db
    .select({ entry: auditLog, username: users.username })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actorId))
    .where(inArray(auditLog.id, ids))
  const labels = await labelsOf(
    db,
    rows.map(({ entry }) => entry),
  )
  return rows.map(({ entry, username }) => ({
    ...entry,
    actor: entry.actorId !== null && username !== null ? { id: entry.actorId, username } : null,
    targetLabel: labels.get(`${entry.targetType} ${entry.targetId}`) ?? null,
  }))
}

/** What the targets are called: a user's name, an invoice's number. */
async function labelsOf(db: Db, entries: { targetType: string; targetId: string }[]): Promise<Map<string, string>> {
  const idsOf = (type: string) => [
    ...new Set(
      entries.flatMap((entry) => (entry.targetType === type ? parseIdSearch(`#${entry.targetId}`) : null) ?? []),
    ),
  ]
  const [people, bills] = [idsOf('user'), idsOf('invoice')]
  const [named, numbered] = await Promise.all([
    people.length > 0
      ? db.select({ id: users.id, label: users.username }).from(users).where(inArray(users.id, people))
      : [],
    bills.length > 0
      ? db.select({ id: invoices.id, label: invoices.invoiceNumber }).from(invoices).where(inArray(invoices.id, bills))
      : [],
  ])
  return new Map([
    ...named.map(({ id, label }) => [`user ${id}`, label] as const),
    ...numbered.map(({ id, label }) => [`invoice ${id}`, label] as const),
  ])
}

/** Every action and kind of target there is: each step asks the index for the next one, so it never reads the log itself. */
export async function listAuditWords(db: Db): Promise<{ actions: string[]; targetTypes: string[] }> {
  const next = (column: typeof auditLog.action | typeof auditLog.targetType) => sql<{ word: string }>`
    with recursive words as (
      (select ${column} as word from ${auditLog} order by ${column} limit 1)
      union all
      select (select ${column} from ${auditLog} where ${column} > words.word order by ${column} limit 1) from words where words.word is not null
    ) select word from words where word is not null`
  const [actions, targetTypes] = await Promise.all([
    db.execute<{ word: string }>(next(auditLog.action)),
    db.execute<{ word: string }>(next(auditLog.targetType)),
  ])
  return { actions: actions.rows.map(({ word }) => word), targetTypes: targetTypes.rows.map(({ word }) => word) }
}
