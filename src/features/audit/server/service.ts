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

const startOfDay = (day: string) => sql`${day}::date::timestamp at time zone 'UTC'`
const endOfDay = (day: string) => sql`(${day}::date + 1)::timestamp at time zone 'UTC'`

/** Whether the counter table has the total. It counts entries by action and target type only, so a filter by text or date needs a count of the entries. */
const hasStoredCount = ({ search, from, to }: Query) => !search && !from && !to
const byActionAndTarget = ({ action, targetType }: Query) =>
  and(action ? sql`status = ${action}` : undefined, targetType ? sql`head = ${targetType}` : undefined)

/** The audit log. `search` matches a part of the actor's name or email, a request id, or, as `#12`, a target id. */
export const auditList: List<AuditEntry, (typeof auditSorts)[number], Query> = {
  table: auditLog,
  sorts: { at: [auditLog.at] },
  where: ({ search, action, targetType, from, to }, ofUser) => {
    const number = parseIdSearch(search ?? '')
    const byText = search ? or(ofUser(auditLog.actorId), eq(auditLog.requestId, search.trim())) : undefined
    const matches = number ? eq(auditLog.targetId, String(number)) : byText
    return and(
      matches,
      action ? eq(auditLog.action, action) : undefined,
      targetType ? eq(auditLog.targetType, targetType) : undefined,
      from ? gte(auditLog.at, startOfDay(from)) : undefined,
      to ? lt(auditLog.at, endOfDay(to)) : undefined,
    )
  },
  buckets: { at: sortBuckets('audit_log', 'at') },
  bucketFilter: (query) =>
    hasStoredCount(query) ? { list: 'audit_log', filter: byActionAndTarget(query) } : undefined,
  countedTotal: (query) =>
    hasStoredCount(query) ? countedTotalWhere('audit_log', byActionAndTarget(query)) : undefined,
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
    apiKey:
      entry.apiKeyId !== null && entry.apiKeyName !== null ? { id: entry.apiKeyId, name: entry.apiKeyName } : null,
    targetLabel: labels.get(`${entry.targetType} ${entry.targetId}`) ?? null,
  }))
}

/** Labels for targets: usernames and invoice numbers, keyed by target type and id. */
async function labelsOf(db: Db, entries: { targetType: string; targetId: string }[]): Promise<Map<string, string>> {
  const idsOf = (type: string) => [
    ...new Set(
      entries.flatMap((entry) => (entry.targetType === type ? parseIdSearch(`#${entry.targetId}`) : null) ?? []),
    ),
  ]
  const [userIds, invoiceIds] = [idsOf('user'), idsOf('invoice')]
  const [userLabels, invoiceLabels] = await Promise.all([
    userIds.length > 0
      ? db.select({ id: users.id, label: users.username }).from(users).where(inArray(users.id, userIds))
      : [],
    invoiceIds.length > 0
      ? db
          .select({ id: invoices.id, label: invoices.invoiceNumber })
          .from(invoices)
          .where(inArray(invoices.id, invoiceIds))
      : [],
  ])
  return new Map([
    ...userLabels.map(({ id, label }) => [`user ${id}`, label] as const),
    ...invoiceLabels.map(({ id, label }) => [`invoice ${id}`, label] as const),
  ])
}

/** Returns all distinct actions and target types. Each recursion step reads the next value from the index, so the log itself is not scanned. */
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
