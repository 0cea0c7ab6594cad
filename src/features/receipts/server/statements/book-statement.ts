import { sql } from 'drizzle-orm'
import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import { insertPayments } from '#features/payments/server/service/insert-payments.ts'
import { lockBook } from '#features/payments/server/service/lock-book.ts'
import { insertPayment } from '#features/payments/server/service/record-payment.ts'
import { withoutControlCharacters } from '#kit/text.ts'
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
import { checkLines } from './check-lines.ts'
import { type JoinedLine, joinWithBook, newPaymentOf } from './compare-statement.ts'
import { type ComparedStatement, compareStatement, incomingCents, type Upload } from './preview-statement.ts'
import { signatureOf } from './read-file.ts'
import { bookedFile, statementOf } from './statement-files.ts'

type By = { admin: Pick<Actor['admin'], 'id'>; requestId: string }
type Booking = Upload & { expectedNew: number; skipUnreadable: boolean }

/**
 * Records the new payments of a statement with their matches, all or none. Throws 409 `known_file` if the file is booked, `unreadable_lines` if lines
 * cannot be read and `skipUnreadable` is not set, and `preview_changed` if other payments are new than when it was previewed.
 */
export async function bookStatement(db: Db, upload: Booking, { admin, requestId }: By): Promise<StatementFile> {
  const compared = await compareStatement(db, upload)
  if (!compared.statement) return conflict('unknown_columns', 'Please choose the columns of this table first.')
  const unreadable = compared.lines.filter(({ verdict }) => verdict === 'unreadable')
  if (unreadable.length > 0 && !upload.skipUnreadable)
    return conflict(
      'unreadable_lines',
      `Some lines cannot be read (${unreadable
        .slice(0, 5)
        .map(({ line }) => line)
        .join(', ')}${unreadable.length > 5 ? ', …' : ''}). Choose to leave them out, or correct the file.`,
    )
  return inTransaction(db, async (tx) => {
    await lockBook(tx)
    const known = await bookedFile(tx, compared.sha256)
    if (known) return conflict('known_file', `${known.by} already uploaded this file.`)
    const joined = await joinAgain(tx, compared, upload.expectedNew)
    const fileId = await insertFile(tx, compared, upload.name, admin.id)
    const { reversals = [], incoming = [] } = Object.groupBy(compared.news, ({ joined: { facts } }) =>
      facts.direction === 'reversal' ? 'reversals' : 'incoming',
    )
    const ids = await insertPayments(
      tx,
      incoming.map((each) => ({ facts: newPaymentOf(each.joined.facts), compared: each.compared })),
    )
    const idOf = new Map(incoming.map((each, at) => [each.joined.key, ids[at]!]))
    for (const { joined: each } of reversals) idOf.set(each.key, await insertReversal(tx, each.facts))
    await insertReceipts(tx, fileId, joined, idOf)
    if (compared.mapping && compared.table) await rememberMapping(tx, compared, admin.id)
    await audit(tx, {
      actorId: admin.id,
      action: 'statement.book',
      targetType: 'statement',
      targetId: fileId,
      after: { file: fileName(upload.name), format: formatNames[compared.statement.format], ...countsOf(compared) },
      requestId,
    })
    await changed(tx, 'payment')
    return statementOf(tx, fileId)
  })
}

/** A line of money that was taken back, with the payment that it names. */
async function insertReversal(tx: Tx, facts: PaymentFacts): Promise<number> {
  const payment = await insertPayment(tx, { ...newPaymentOf(facts), reversesId: await reversedBy(tx, facts) })
  // The book is locked, and a payment with this number would have been found.
  if (!payment) throw new Error('the reversal was recorded by another transaction')
  return payment.id
}

type Readable = ComparedStatement & { statement: NonNullable<ComparedStatement['statement']> }

/** Compares with the book under its lock. Throws 409 if other lines are new than before. */
async function joinAgain(tx: Tx, { statement, news }: Readable, expectedNew: number): Promise<JoinedLine[]> {
  const joined = await joinWithBook(tx, statement.format, checkLines(statement, new Date()))
  const now = joined.filter((each) => !each.known && !each.isRepeated)
  const isSame = now.length === news.length && now.every((each, at) => each.key === news[at]!.joined.key)
  if (!isSame || now.length !== expectedNew)
    conflict('preview_changed', 'Other payments were recorded in the meantime. Please look at the preview again.')
  return joined
}

function countsOf({ lines, news }: ComparedStatement) {
  const count = (wanted: string) => lines.filter(({ verdict }) => verdict === wanted).length
  return {
    ...{ newLines: news.length, knownLines: count('known'), skippedLines: count('skipped') },
    unreadableLines: count('unreadable'),
  }
}

const fileName = (name: string): string => withoutControlCharacters(name).trim().slice(0, 200) || 'statement'

async function insertFile(tx: Tx, compared: Readable, name: string, uploadedBy: number): Promise<number> {
  const { sha256, statement, news } = compared
  const [row] = await tx
    .insert(statementFiles)
    .values({
      ...countsOf(compared),
      ...{ sha256, uploadedBy, name: fileName(name), format: statement.format },
      account: statement.account && withoutControlCharacters(statement.account).slice(0, 200),
      newCents: incomingCents(news),
    })
    .returning({ id: statementFiles.id })
  return row!.id
}

/** Notes the line of each payment, new or known. A line that repeats another one adds nothing. */
async function insertReceipts(tx: Tx, fileId: number, joined: JoinedLine[], idOf: Map<string, number>): Promise<void> {
  const rows = joined.flatMap(({ key, line, known, isRepeated }) =>
    isRepeated ? [] : [{ key, line, payment: known?.id ?? idOf.get(key) }],
  )
  await tx.execute(sql`
    insert into payment_receipts (file_id, source_key, payment_id, line) select ${fileId}, r.key, r.payment, r.line
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(key text, payment bigint, line int)`)
}

async function rememberMapping(tx: Tx, { mapping, table }: ComparedStatement, savedBy: number): Promise<void> {
  const row = { signature: signatureOf(table!.columns), mapping: mapping as Record<string, string>, savedBy }
  await tx
    .insert(statementMappings)
    .values(row)
    .onConflictDoUpdate({ target: statementMappings.signature, set: { ...row, savedAt: sql`now()` } })
}
