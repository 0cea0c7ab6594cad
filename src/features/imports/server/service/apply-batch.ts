import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { insertImportedAccounts } from '#features/accounts/server/service/imported-accounts.ts'
import { storeImportedLines } from '#features/provisioning/server/imported-lines.ts'
import { bookOpeningBalances } from '#features/referrals/server/opening-balances.ts'
import { grantImportedTime, type ImportedSubscription } from '#features/subscriptions/server/service/imported-time.ts'
import type { Instant } from '#kit/dates.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { importRows, importRuns, plans } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { open, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { noPassword } from '#server/session/imported-hash.ts'
import type { ImportRun } from '../../admin-contract.ts'
import type { Importer } from './create-import.ts'
import { createEarlierInvoices } from './earlier-invoices.ts'
import { inBatch, type LockedRun, lockRun } from './lock-run.ts'
import { markKnown } from './mark-known.ts'
import { readRun } from './runs.ts'

type Context = { db: Db; config: Config }
type Row = typeof importRows.$inferSelect
type Created = Row & { userId: number }

/**
 * Creates the customers of the next 1,000 rows, or the invoices of the next 5,000, in one transaction. The last batch sets the state of the run to
 * `applied`. After an interruption the next call continues where it stopped. Throws 404, 409 `not_open` for a run that was applied or undone, and 409
 * `other_run` while another run is being applied or undone.
 */
export async function applyBatch(context: Context, runId: number, importer: Importer): Promise<ImportRun> {
  return inBatch(context.db, async (tx) => {
    const run = await lockRun(tx, runId)
    if (run.state !== 'checked' && run.state !== 'applying')
      return conflict(
        'not_open',
        run.state === 'applied' ? 'This import is already applied.' : 'This import was undone.',
      )
    if (run.state === 'checked') await tx.update(importRuns).set({ state: 'applying' }).where(eq(importRuns.id, runId))
    const most = limits.imports.applyBatch[run.kind]
    const keys = await nextKeys(tx, runId, most)
    if (keys.length > 0 && run.kind === 'invoices') await createEarlierInvoices(tx, keys)
    if (keys.length > 0 && run.kind === 'customers') await createCustomers(tx, context, run, keys, importer)
    if (keys.length < most) await finish(tx, run, importer)
    await changed(tx, 'user')
    return readRun(tx, runId)
  })
}

async function nextKeys(tx: Tx, runId: number, most: number): Promise<string[]> {
  const rows = await tx
    .select({ rowKey: importRows.rowKey })
    .from(importRows)
    .where(and(eq(importRows.runId, runId), eq(importRows.verdict, 'create')))
    .orderBy(asc(importRows.line))
    .limit(most)
  return rows.map(({ rowKey }) => rowKey)
}

async function createCustomers(
  tx: Tx,
  { config }: Context,
  run: LockedRun,
  keys: string[],
  { adminId, requestId }: Importer,
): Promise<void> {
  await markKnown(tx, sql`r.row_key = any(${sql.param(keys)}::text[])`)
  const planById = new Map((await tx.select().from(plans)).map((plan) => [plan.id, plan]))
  const rows = await tx
    .select()
    .from(importRows)
    .where(and(inArray(importRows.rowKey, keys), eq(importRows.verdict, 'create')))
    .orderBy(asc(importRows.line))
  const [lost, usable] = partition(rows, ({ planId }) => planId !== null && !planById.has(planId))
  await refuse(tx, lost)
  if (usable.length === 0) return
  const ids = await insertImportedAccounts(
    tx,
    usable.map(({ passwordHash, ...row }) => ({ ...row, passwordHash: passwordHash ?? noPassword })),
  )
  const created: Created[] = usable.map((row, at) => ({ ...row, userId: ids[at]! }))
  const { now } = (await tx.execute<{ now: Date }>(sql`select now() as now`)).rows[0]!
  const at = new Date(now).toISOString()
  await bookOpeningBalances(
    tx,
    created.map(({ userId, credit }) => ({ userId, cents: credit })),
    adminId,
  )
  const times = created.flatMap(({ userId, planId, paidUntil }) =>
    planId !== null && paidUntil !== null ? [{ userId, plan: planById.get(planId)!, paidUntil }] : [],
  )
  const subscriptions = await grantImportedTime(tx, times, at, adminId)
  await storeLines(
    tx,
    config,
    created,
    subscriptions,
    new Map([...planById].map(([id, { months }]) => [id, months])),
    at,
  )
  await markCreated(tx, created)
  for (const { userId, line, credit, lineUsername, paidUntil } of created)
    await audit(tx, {
      actorId: adminId,
      action: 'user.import',
      targetType: 'user',
      targetId: userId,
      after: {
        file: run.name,
        line,
        ...(credit > 0 && { credit }),
        ...(paidUntil && { paidUntil }),
        ...(lineUsername && { lineUsername }),
      },
      requestId,
    })
}

async function storeLines(
  tx: Tx,
  config: Config,
  created: Created[],
  subscriptions: ImportedSubscription[],
  monthsOf: Map<number, number>,
  now: Instant,
): Promise<void> {
  const key = secretKey(config)
  const stateOf = new Map(subscriptions.map(({ userId, state }) => [userId, state]))
  const lines = created.flatMap(({ userId, rowKey, lineUsername, linePassword }) => {
    if (lineUsername === null || linePassword === null) return []
    const state = stateOf.get(userId)
    const planId = state?.planId ?? null
    const entitlement = {
      ...{ status: state?.status ?? ('none' as const), endDate: state?.endDate ?? null, planId },
      ...{
        connections: state?.maxConnections ?? null,
        months: planId === null ? null : (monthsOf.get(planId) ?? null),
      },
    }
    const password = open(key, linePassword, sealedColumns.importedLinePassword.context(rowKey))
    return [{ userId, username: lineUsername, password, entitlement }]
  })
  await storeImportedLines(tx, { key, config }, lines, now)
}

async function refuse(tx: Tx, rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .update(importRows)
    .set({ verdict: 'refused', reason: 'plan_unknown', passwordHash: null, linePassword: null })
    .where(
      inArray(
        importRows.rowKey,
        rows.map(({ rowKey }) => rowKey),
      ),
    )
}

async function markCreated(tx: Tx, created: Created[]): Promise<void> {
  const ids = created.map(({ rowKey, userId }) => ({ rowKey, userId }))
  await tx.execute(sql`
    update import_rows r set verdict = 'created', user_id = made."userId", password_hash = null, line_password = null
    from jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) as made("rowKey" text, "userId" int) where r.row_key = made."rowKey"`)
}

async function finish(tx: Tx, { id, name, kind }: LockedRun, { adminId, requestId }: Importer): Promise<void> {
  await tx
    .update(importRuns)
    .set({ state: 'applied', appliedBy: adminId, appliedAt: sql`now()` })
    .where(eq(importRuns.id, id))
  const { counts } = await readRun(tx, id)
  await audit(tx, {
    actorId: adminId,
    action: 'import.apply',
    targetType: 'import',
    targetId: id,
    after: { file: name, kind, created: counts.created, alreadyHere: counts.exists, refused: counts.refused },
    requestId,
  })
}

function partition<T>(items: T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}
