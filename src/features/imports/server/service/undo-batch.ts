import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { deleteImportedAccounts, eraseImportedAccounts } from '#features/accounts/server/service/imported-accounts.ts'
import { forgetImportedLines, removeImportedLines } from '#features/provisioning/server/imported-lines.ts'
import { lockUsers } from '#features/referrals/server/ledger.ts'
import { reverseOpeningBalances } from '#features/referrals/server/opening-balances.ts'
import { clearImportedSubscriptions, removeImportedTime } from '#features/subscriptions/server/service/imported-time.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { earlierInvoices, importRows, importRuns } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import type { ImportRun } from '../../admin-contract.ts'
import { accountUses } from '../../rules.ts'
import type { Importer } from './create-import.ts'
import { removeEarlierInvoices } from './earlier-invoices.ts'
import { type CreatedRow, findUsedAccounts, type UsedAccount } from './find-used-accounts.ts'
import { inBatch, type LockedRun, lockRun } from './lock-run.ts'
import { readRun } from './runs.ts'

/**
 * Removes the customers of the next 1,000 rows, or the invoices of the next 5,000, in one transaction. The first call is refused if an account of the
 * run was used. An account that is used during the undo is kept, with the reason. Throws 404, 409 `not_applied` for a run with nothing to remove, 409
 * `built_on` with the names of the first customers whose accounts were used, and 409 `other_run` while another run is being applied or undone.
 */
export async function undoBatch(db: Db, runId: number, importer: Importer): Promise<ImportRun> {
  return inBatch(db, async (tx) => {
    const run = await lockRun(tx, runId)
    if (run.state === 'checked') return conflict('not_applied', 'This import was not applied. You can delete it.')
    if (run.state === 'undone') return conflict('not_applied', 'This import is already undone.')
    if (run.state !== 'undoing') await begin(tx, run)
    const most = limits.imports.applyBatch[run.kind]
    const rows = await createdRows(tx, runId, most)
    if (rows.length > 0 && run.kind === 'invoices')
      await removeEarlierInvoices(
        tx,
        rows.map(({ rowKey }) => rowKey),
      )
    if (rows.length > 0 && run.kind === 'customers') await removeCustomers(tx, rows, importer)
    if (rows.length < most) await finish(tx, run, importer)
    await changed(tx, ['user', 'subscription', 'credit', 'line'])
    return readRun(tx, runId)
  })
}

async function begin(tx: Tx, { id: runId, kind }: LockedRun): Promise<void> {
  // Nothing depends on earlier invoices, so they can always be removed.
  const found = kind === 'invoices' ? [] : await findUsedAccounts(tx, await createdRows(tx, runId))
  if (found.length > 0) return conflict('built_on', refusalText(found))
  await tx.update(importRuns).set({ state: 'undoing' }).where(eq(importRuns.id, runId))
  // If the run was only partly applied, the remaining rows must not be created later.
  await tx
    .update(importRows)
    .set({ verdict: 'refused', reason: 'undone', passwordHash: null, linePassword: null })
    .where(and(eq(importRows.runId, runId), eq(importRows.verdict, 'create')))
}

function refusalText(found: UsedAccount[]): string {
  const named = found
    .slice(0, 5)
    .map(({ username, line, reason }) => `${username} (row ${line}): ${accountUses[reason]}`)
  const what = found.length === 1 ? '1 customer is in use' : `${found.length} customers are in use`
  return `Nothing was undone: ${what}. ${named.join('; ')}${found.length > 5 ? '; …' : '.'}`
}

async function createdRows(
  tx: Tx,
  runId: number,
  atMost: number = limits.imports.rows.customers,
): Promise<CreatedRow[]> {
  const rows = await tx
    .select({ rowKey: importRows.rowKey, userId: importRows.userId })
    .from(importRows)
    .where(and(eq(importRows.runId, runId), eq(importRows.verdict, 'created')))
    .orderBy(asc(importRows.line))
    .limit(atMost)
  return rows.map(({ rowKey, userId }) => ({ rowKey, userId: userId! }))
}

async function removeCustomers(tx: Tx, rows: CreatedRow[], { adminId }: Importer): Promise<void> {
  await lockUsers(
    tx,
    rows.map(({ userId }) => userId),
  )
  const kept = await findUsedAccounts(tx, rows)
  for (const { rowKey, reason } of kept)
    await tx.update(importRows).set({ verdict: 'kept', reason }).where(eq(importRows.rowKey, rowKey))
  const removed = rows.filter(({ rowKey }) => !kept.some((row) => row.rowKey === rowKey))
  if (removed.length === 0) return
  const userIds = removed.map(({ userId }) => userId)
  await removeImportedLines(tx, userIds)
  await removeImportedTime(tx, userIds)
  // Most accounts can be deleted. Only the few that must stay are anonymized.
  const staying = await deleteImportedAccounts(tx, userIds)
  await forgetImportedLines(tx, staying)
  await clearImportedSubscriptions(tx, staying)
  await reverseOpeningBalances(tx, staying, adminId)
  // Accounts that are kept without a name must not keep their earlier invoices either.
  await tx.delete(earlierInvoices).where(inArray(earlierInvoices.userId, staying))
  await eraseImportedAccounts(tx, staying)
  await tx
    .update(importRows)
    .set({ verdict: 'undone' })
    .where(
      inArray(
        importRows.rowKey,
        removed.map(({ rowKey }) => rowKey),
      ),
    )
}

async function finish(tx: Tx, { id, name, kind }: LockedRun, { adminId, requestId }: Importer): Promise<void> {
  await tx
    .update(importRuns)
    .set({ state: 'undone', undoneBy: adminId, undoneAt: sql`now()` })
    .where(eq(importRuns.id, id))
  const { counts } = await readRun(tx, id)
  await audit(tx, {
    actorId: adminId,
    action: 'import.undo',
    targetType: 'import',
    targetId: id,
    after: { file: name, kind, removed: counts.undone, kept: counts.kept },
    requestId,
  })
}
