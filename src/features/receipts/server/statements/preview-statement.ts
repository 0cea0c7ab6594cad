import { createHash } from 'node:crypto'
import type { Compared } from '#features/payments/server/service/compare-payment.ts'
import { comparePayments } from '#features/payments/server/service/insert-payments.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { limits } from '#server/limits.ts'
import type { PreviewLine, previewStatement } from '../../admin-contract.ts'
import { checkLines } from './check-lines.ts'
import { type JoinedLine, joinWithBook, newPaymentOf, refuseOtherAccount } from './compare-statement.ts'
import { type ReadFile, readFile } from './read-file.ts'
import { bookedFile } from './statement-files.ts'

export type Upload = { bytes: Uint8Array; name: string; mapping?: string | undefined }
/** A statement compared with the book. `news` are the new payments in the order of the file, with their matches. */
export type ComparedStatement = ReadFile & {
  sha256: Buffer
  lines: PreviewLine[]
  joined: JoinedLine[]
  news: { joined: JoinedLine; compared: Compared }[]
}

/** Reads a statement and compares it with the book and the open invoices. Writes nothing. Throws 400, 409 and 413 with the reason. */
export async function compareStatement(
  db: Db,
  { bytes, mapping }: Upload,
): Promise<ComparedStatement | { statement: null; table: { columns: string[]; sample: string[][] } }> {
  const file = await readFile(db, bytes, mapping)
  if (!file.statement) return file
  await refuseOtherAccount(db, file.statement)
  const checked = checkLines(file.statement, new Date())
  const joined = await joinWithBook(db, file.statement.format, checked)
  const fresh = joined.filter(({ known, isRepeated }) => !known && !isRepeated)
  const compared = await comparePayments(
    db,
    fresh.map(({ facts }) => newPaymentOf(facts)),
  )
  const news = fresh.map((each, at) => ({ joined: each, compared: compared[at]! }))
  const matchOf = new Map(news.map((each) => [each.joined, each.compared]))
  let next = 0
  const lines = checked.map(
    ({ line, facts, skipped, unreadable }): PreviewLine =>
      facts && !skipped
        ? paymentLine(joined[next]!, matchOf.get(joined[next++]!))
        : {
            ...blank,
            line,
            ...shown(facts),
            verdict: unreadable ? 'unreadable' : 'skipped',
            reason: unreadable ?? skipped,
          },
  )
  return { ...file, sha256: createHash('sha256').update(bytes).digest(), lines, joined, news }
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
const shown = (facts: JoinedLine['facts'] | null) =>
  facts && {
    paidOn: (facts.paidOn ?? facts.paidAt)!.slice(0, 10),
    amount: facts.amount,
    currency: facts.currency,
    payer: facts.payerName ?? facts.payerHandle ?? '',
    note: facts.note ?? '',
  }

function paymentLine({ line, facts, known, isRepeated }: JoinedLine, compared: Compared | undefined): PreviewLine {
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

/** The cents of the new payments, without those that were taken back. */
export const incomingCents = (news: ComparedStatement['news']): number =>
  news.reduce((sum, { joined: { facts } }) => (facts.direction === 'in' ? sum + facts.amount : sum), 0)

/** The preview of an upload, or the headings of a table whose columns a person has to name. */
export async function previewOf(db: Db, upload: Upload): Promise<Output<typeof previewStatement>> {
  const compared = await compareStatement(db, upload)
  if (!compared.statement) return { state: 'columns', ...compared.table }
  const { statement, table, mapping, sha256, lines, news } = compared
  const byVerdict = Map.groupBy(lines, ({ verdict }) => verdict)
  const count = (verdict: PreviewLine['verdict']) => byVerdict.get(verdict)?.length ?? 0
  const first = new Set([...byVerdict.values()].flatMap((all) => all.slice(0, limits.statement.shownLines)))
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
    newCents: incomingCents(news),
    lines: lines.filter((line) => first.has(line)),
  }
}
