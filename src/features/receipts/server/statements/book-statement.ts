import { sql } from 'drizzle-orm'
import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import { insertPayments } from '#features/payments/server/service/insert-payments.ts'
import { lockBook } from '#features/payments/server/service/lock-book.ts'
import { insertPayment } from '#features/payments/server/service/record-payment.ts'
import { settleAllSent } from '#features/payments/server/service/reversals/settle-sent.ts'
import { withoutControlCharacters } from '#kit/text.ts'
import { maskNumbers } from '#kit/untrusted-text.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { statementFiles, statementMappings } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { StatementFile } from '../../admin-contract.ts'
import { formatNames } from '../../rules.ts'
import { reversedBy } from '../book-payments.ts'
import type { CheckedRow } from './check-rows.ts'
import {
  incomingCents,
  isNewRow,
  type JoinedRow,
  joinWithBook,
  newPaymentOf,
  withoutPrivate,
} from './compare-statement.ts'
import { signatureOf } from './read-file.ts'
import { type ReadUpload, readUpload, type Upload } from './read-upload.ts'
import { bookedFile, statementOf } from './statement-files.ts'

type BookedBy = { admin: Pick<Actor['admin'], 'id'>; requestId: string }
type Booking = Upload & { expectedNew: number; skipUnreadable: boolean }

/**
 * Records the new payments of a statement with their matches, all or none. Throws 409 `known_file` if the file is already booked, `unreadable_lines` if rows
 * cannot be read and `skipUnreadable` is not set, and `preview_changed` if the number of new payments differs from the preview.
 */
export async function bookStatement(db: Db, upload: Booking, { admin, requestId }: BookedBy): Promise<StatementFile> {
  const file = await readUpload(db, upload)
  if (!file.statement) return conflict('unknown_columns', 'Please choose the columns of this table first.')
  if (!upload.skipUnreadable) refuseUnreadable(file.checked)
  return inTransaction(db, async (tx) => {
    await lockBook(tx)
    const known = await bookedFile(tx, file.sha256)
    if (known) return conflict('known_file', `${known.by} already uploaded this file.`)
    const all = await joinWithBook(tx, file.statement.format, file.checked)
    const joined = await withoutPrivate(tx, all)
    const fresh = joined.filter(isNewRow)
    if (fresh.length !== upload.expectedNew)
      conflict('preview_changed', 'Other payments were recorded in the meantime. Please check the preview again.')
    const counts = countsOf(file, joined, all.length - joined.length)
    const fileId = await insertFile(tx, file, {
      ...counts,
      name: fileName(upload.name),
      newCents: incomingCents(fresh),
      uploadedBy: admin.id,
    })
    const { reversals = [], incoming = [] } = Object.groupBy(fresh, ({ facts }) =>
      facts.direction === 'reversal' ? 'reversals' : 'incoming',
    )
    const ids = await insertPayments(
      tx,
      incoming.map(({ facts }) => newPaymentOf(facts)),
    )
    const idOf = new Map(incoming.map((each, at) => [each.key, ids[at]!]))
    for (const each of reversals) idOf.set(each.key, await insertReversal(tx, each.facts))
    await insertReceipts(tx, fileId, joined, idOf)
    await settleAllSent(
      tx,
      file.checked.flatMap((row) => ('sent' in row && row.sent) || []),
    )
    if (file.mapping && file.table) await storeMapping(tx, file, admin.id)
    await audit(tx, {
      actorId: admin.id,
      action: 'statement.book',
      targetType: 'statement',
      targetId: fileId,
      after: { file: fileName(upload.name), format: formatNames[file.statement.format], ...counts },
      requestId,
    })
    await changed(tx, 'payment')
    return statementOf(tx, fileId)
  })
}

/** Inserts a reversal with a link to the payment that it takes back. Returns its id. */
async function insertReversal(tx: Tx, facts: PaymentFacts): Promise<number> {
  const payment = await insertPayment(tx, { ...newPaymentOf(facts), reversesId: await reversedBy(tx, facts) })
  // This cannot happen: the book is locked, and a payment with this transaction number would have been found.
  if (!payment) throw new Error('the reversal was recorded by another transaction')
  return payment.id
}

function refuseUnreadable(checked: CheckedRow[]): void {
  const lines = checked.flatMap(({ line, unreadable }) => (unreadable ? [line] : []))
  if (lines.length > 0)
    conflict(
      'unreadable_lines',
      `Some rows cannot be read (${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''}). Choose to leave them out, or correct the file.`,
    )
}

function countsOf({ checked }: ReadUpload, joined: JoinedRow[], privateRows: number) {
  const newRows = joined.filter(isNewRow).length
  return {
    ...{ newLines: newRows, knownLines: joined.length - newRows },
    skippedLines: checked.filter(({ skipped }) => skipped).length + privateRows,
    unreadableLines: checked.filter(({ unreadable }) => unreadable).length,
  }
}

const fileName = (name: string): string =>
  maskNumbers(withoutControlCharacters(name)).trim().slice(0, 200) || 'statement'

type NewFile = Omit<typeof statementFiles.$inferInsert, 'sha256' | 'format' | 'account'>
async function insertFile(
  tx: Tx,
  { sha256, statement: { format, account } }: ReadUpload,
  file: NewFile,
): Promise<number> {
  const [row] = await tx
    .insert(statementFiles)
    .values({
      ...file,
      sha256,
      format,
      account: account && maskNumbers(withoutControlCharacters(account)).slice(0, 200),
    })
    .returning({ id: statementFiles.id })
  return row!.id
}

/** Stores which row reported each payment, new or known. Repeated rows are left out. */
async function insertReceipts(tx: Tx, fileId: number, joined: JoinedRow[], idOf: Map<string, number>): Promise<void> {
  const rows = joined.flatMap(({ key, line, known, isRepeated }) =>
    isRepeated ? [] : [{ key, line, payment: known?.id ?? idOf.get(key) }],
  )
  await tx.execute(sql`
    insert into payment_receipts (file_id, source_key, payment_id, line) select ${fileId}, r.key, r.payment, r.line
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(key text, payment bigint, line int)`)
}

async function storeMapping(tx: Tx, { mapping, table }: ReadUpload, savedBy: number): Promise<void> {
  const row = { signature: signatureOf(table!.columns), mapping: mapping as Record<string, string>, savedBy }
  await tx
    .insert(statementMappings)
    .values(row)
    .onConflictDoUpdate({ target: statementMappings.signature, set: { ...row, savedAt: sql`now()` } })
}
