import type { PaymentComparison } from '#features/payments/server/service/compare-payment.ts'
import { comparePayments } from '#features/payments/server/service/compare-payments.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { limits } from '#server/limits.ts'
import type { PreviewRow, previewStatement } from '../../admin-contract.ts'
import { incomingCents, isNewRow, type JoinedRow, joinWithBook, newPaymentOf } from './compare-statement.ts'
import { type ReadUpload, readUpload, type Upload } from './read-upload.ts'
import { bookedFile } from './statement-files.ts'

/** Compares the rows with the book and the open invoices. `newCents` is the sum of the new payments in cents. */
async function compareRows(db: Db, { statement, checked }: ReadUpload) {
  const joined = await joinWithBook(db, statement.format, checked)
  const { isPrivateAccount } = await settings.read(db, 'paymentDesk')
  const fresh = joined.filter(isNewRow)
  const payments = fresh.map(({ facts }) => newPaymentOf(facts))
  const compared = await comparePayments(db, payments)
  const matchOf = new Map(fresh.map((each, at) => [each, compared[at]]))
  const isLeftOut = (each: JoinedRow) => isPrivateAccount && matchOf.get(each)?.isRelated === false
  let next = 0
  const rows = checked.map(
    ({ line, facts, skipped, unreadable }): PreviewRow =>
      facts && !skipped
        ? paymentRow(joined[next]!, matchOf.get(joined[next]!), isLeftOut(joined[next++]!))
        : {
            ...blank,
            line,
            ...shown(facts),
            verdict: unreadable ? 'unreadable' : 'skipped',
            reason: unreadable ?? skipped,
          },
  )
  return { rows, newCents: incomingCents(fresh.filter((each) => !isLeftOut(each))) }
}

const blank = {
  ...{
    paidOn: null,
    amount: null,
    currency: 'USD',
    payer: '',
    note: '',
    kind: null,
    invoiceNumber: null,
    customer: null,
  },
  ...{ paymentId: null, reason: null },
}
const shown = (facts: JoinedRow['facts'] | null) =>
  facts && {
    paidOn: (facts.paidOn ?? facts.paidAt)!.slice(0, 10),
    amount: facts.amount,
    currency: facts.currency,
    payer: facts.payerName ?? facts.payerHandle ?? '',
    note: facts.note ?? '',
  }

function paymentRow(
  { line, facts, known, isRepeated }: JoinedRow,
  compared: PaymentComparison | undefined,
  isLeftOut: boolean,
): PreviewRow {
  if (isLeftOut) return { ...blank, line, verdict: 'skipped', reason: 'private' }
  const base = { ...blank, line, ...shown(facts) }
  if (known || isRepeated || !compared)
    return { ...base, verdict: 'known', paymentId: known?.id ?? null, reason: isRepeated ? 'repeated' : null }
  const { kind, ready, top } = compared
  return {
    ...base,
    verdict: ready ? 'exact' : 'check',
    kind,
    invoiceNumber: top?.number ?? null,
    customer: top?.username ?? null,
  }
}

/**
 * Returns the preview of an uploaded statement, or the headings of a table whose columns an administrator has to choose. Writes nothing. Throws 400, 409 or 413
 * with the reason if the file cannot be read or belongs to another account.
 */
export async function previewOf(db: Db, upload: Upload): Promise<Output<typeof previewStatement>> {
  const file = await readUpload(db, upload)
  if (!file.statement) return { state: 'columns', ...file.table }
  const { statement, table, mapping, sha256 } = file
  const { rows, newCents } = await compareRows(db, file)
  const byVerdict = Map.groupBy(rows, ({ verdict }) => verdict)
  const count = (verdict: PreviewRow['verdict']) => byVerdict.get(verdict)?.length ?? 0
  const first = new Set([...byVerdict.values()].flatMap((all) => all.slice(0, limits.statement.shownRows)))
  return {
    state: 'preview',
    format: statement.format,
    account: statement.account,
    mapping,
    columns: table?.columns ?? [],
    sample: table?.sample ?? [],
    booked: await bookedFile(db, sha256),
    counts: {
      ...{ exact: count('exact'), check: count('check'), known: count('known') },
      ...{ skipped: count('skipped'), unreadable: count('unreadable') },
    },
    newCents,
    lines: rows.filter((row) => first.has(row)),
  }
}
