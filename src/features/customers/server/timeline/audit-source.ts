import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/connect.ts'
import { activations, auditLog, invoices, plans, refundRequests, reports, users } from '#server/db/tables.ts'
import type { OpenItem } from '../../admin-timeline-contract.ts'
import { auditPhrase } from '../../audit-phrase-rules.ts'
import { numberOf } from '../../phrase-rules.ts'
import { type CustomerPrefix, groupOfPrefix, prefixesOf } from '../../timeline-rules.ts'
import { belowId, entryOf, type Reading, type Source, type SourceRow } from './source.ts'

const actor = alias(users, 'actor')
/** How many of the newest edits of a subscription can be undone from the timeline. */
const maxUndoable = 50

const edits = ['user.update_subscription', 'user.give_days', 'user.move_subscription']
const isEdit = (action: string): boolean => edits.includes(action)

type Row = Awaited<ReturnType<typeof readRows>>[number]

/** The audit log of a customer, without the actions that the reader may not see. Credit adjustments are left out because they are shown from the ledger. */
export const auditSource: Source = {
  name: 'audit',
  groups: ['money', 'line', 'requests', 'emails', 'account'],
  needs: 'customers.read',
  read: async (reading) => {
    const rows = await readRows(reading)
    const [invoicesById, reportsById, planNames, edits] = await Promise.all([
      invoicesOf(reading.db, idsOf(rows, 'invoice')),
      reportsOf(reading.db, idsOf(rows, 'report')),
      planNamesOf(reading.db, rows),
      editsOf(reading, rows),
    ])
    return rows.map((row): SourceRow => {
      const invoice = row.targetType === 'invoice' ? invoicesById.get(row.targetId) : undefined
      const { title, detail, tone } = auditPhrase(row.action, {
        actor: row.apiKeyName === null ? row.actor : `${row.actor} with the API key ${row.apiKeyName}`,
        isOwn: row.actorId === reading.userId,
        before: row.before,
        after: row.after,
        invoice: invoice ?? null,
        report: row.targetType === 'report' ? (reportsById.get(row.targetId) ?? null) : null,
        planNames,
      })
      return {
        key: String(row.id),
        entry: entryOf(`audit ${row.id}`, {
          at: row.at,
          group: groupOfPrefix[row.action.split('.', 1)[0] as CustomerPrefix] ?? 'account',
          title,
          detail,
          tone,
          invoiceNumber: invoice?.number ?? null,
          open: openItemOf(row, invoice, edits),
        }),
      }
    })
  },
}

/** One index scan for each prefix, so that a filter reads only its own entries. */
const readRows = ({ db, userId, below, limit, group, permissions }: Reading) => {
  const newest = sql`(
    select entry.id from unnest(${sql.param(prefixesOf(group, permissions))}::text[]) prefix
    cross join lateral (
      select ${auditLog.id} from ${auditLog}
      where ${auditLog.customerId} = ${userId} and split_part(${auditLog.action}, '.', 1) = prefix
        and ${auditLog.action} <> 'user.adjust_credit' ${below === undefined ? sql`` : sql`and ${belowId(auditLog.id, below)}`}
      order by ${auditLog.id} desc limit ${limit}
    ) entry order by entry.id desc limit ${limit})`
  const { id, at, actorId, action, targetType, targetId, before, after, apiKeyName } = auditLog
  return db
    .select({ id, at, actorId, actor: actor.username, action, targetType, targetId, before, after, apiKeyName })
    .from(auditLog)
    .leftJoin(actor, eq(actor.id, actorId))
    .where(sql`${id} = any (array${newest})`)
    .orderBy(desc(id))
}

const idsOf = (rows: readonly Row[], targetType: string): number[] => [
  ...new Set(rows.filter((row) => row.targetType === targetType).map((row) => Number(row.targetId))),
]

type AuditedInvoice = { id: number; number: string; amount: number; asksRefund: boolean }
async function invoicesOf(db: Db, ids: number[]): Promise<Map<string, AuditedInvoice>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: invoices.id, number: invoices.invoiceNumber, amount: invoices.amount, refund: refundRequests.status })
    .from(invoices)
    .leftJoin(refundRequests, eq(refundRequests.invoiceId, invoices.id))
    .where(inArray(invoices.id, ids))
  return new Map(rows.map(({ refund, ...row }) => [String(row.id), { ...row, asksRefund: refund === 'pending' }]))
}

async function reportsOf(db: Db, ids: number[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: reports.id, name: reports.contentName })
    .from(reports)
    .where(inArray(reports.id, ids))
  return new Map(rows.map(({ id, name }) => [String(id), name]))
}

async function planNamesOf(db: Db, rows: readonly Row[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.flatMap(({ after }) => numberOf(after, 'planId') ?? []))]
  if (ids.length === 0) return new Map()
  const found = await db.select({ id: plans.id, name: plans.name }).from(plans).where(inArray(plans.id, ids))
  return new Map(found.map(({ id, name }) => [id, name]))
}

/**
 * Returns the ids of the edits that can be undone, by the time of their audit entry. An edit and its audit entry have the same time, because one transaction
 * writes both.
 */
async function editsOf({ db, userId }: Reading, rows: readonly Row[]): Promise<Map<string, number>> {
  if (!rows.some(({ action }) => isEdit(action))) return new Map()
  const found = await db
    .select({
      id: activations.id,
      at: activations.createdAt,
      kind: activations.kind,
      reversedAt: activations.reversedAt,
    })
    .from(activations)
    .where(and(eq(activations.userId, userId)))
    .orderBy(desc(activations.id))
    .limit(maxUndoable)
  return new Map(
    found.filter(({ kind, reversedAt }) => kind === 'grant' && reversedAt === null).map(({ id, at }) => [at, id]),
  )
}

function openItemOf(
  { action, at }: Row,
  invoice: AuditedInvoice | undefined,
  edits: ReadonlyMap<string, number>,
): OpenItem | null {
  if (action === 'refund.request' && invoice?.asksRefund)
    return { kind: 'invoice', id: invoice.id, action: 'Decide Refund' }
  const edit = isEdit(action) ? edits.get(at) : undefined
  return edit === undefined ? null : { kind: 'edit', id: edit, action: 'Undo' }
}
