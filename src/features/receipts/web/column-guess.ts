import type { ColumnMapping } from '../admin-contract.ts'

/** The fields to which an administrator assigns columns, each with a pattern of headings that suggest it. */
export const columnFields = [
  { field: 'date', label: 'Date', suggests: /date|datum|buchung|fecha|day|posted/i },
  { field: 'amount', label: 'Amount', suggests: /amount|betrag|value|importe|montant|sum/i },
  { field: 'credit', label: 'Money in', suggests: /credit|deposit|haben|paid in|money in|received/i },
  { field: 'debit', label: 'Money out', suggests: /debit|withdraw|soll|paid out|money out/i },
  { field: 'name', label: 'Payer', suggests: /name|payer|payee|from|sender|auftraggeber|counterparty/i },
  { field: 'note', label: 'Note', suggests: /note|memo|description|purpose|zweck|details|reference text|text/i },
  { field: 'reference', label: 'Transaction number', suggests: /transaction (id|number)|reference|ref\b|id$/i },
] as const
export type ColumnField = (typeof columnFields)[number]['field']

/** Returns a suggested column for each field, by its heading. Each column is used at most once. */
export function guessColumns(columns: string[]): Partial<Record<ColumnField, string>> {
  const guess: Partial<Record<ColumnField, string>> = {}
  for (const { field, suggests } of columnFields) {
    if ((field === 'credit' || field === 'debit') && guess.amount) continue
    const used = Object.values(guess)
    const heading = columns.find((column) => suggests.test(column) && !used.includes(column))
    if (heading) guess[field] = heading
  }
  return guess
}

/** Returns the date format and the decimal sign that the first rows suggest. */
export function guessStyle(sample: string[][]): Pick<ColumnMapping, 'dateFormat' | 'decimal'> {
  const cells = sample.flat()
  const dates = cells.flatMap((cell) => /^(\d{1,4})[./-](\d{1,2})[./-]\d{2,4}\b/.exec(cell)?.slice(1, 3) ?? [])
  const first = dates.filter((_, at) => at % 2 === 0)
  const hasDots = cells.some((cell) => /^\d{1,2}\.\d{1,2}\.\d{2,4}/.test(cell))
  return {
    dateFormat: first.some((part) => part.length === 4)
      ? 'yyyy/MM/dd'
      : hasDots || first.some((part) => Number(part) > 12)
        ? 'dd/MM/yyyy'
        : 'MM/dd/yyyy',
    decimal: cells.some((cell) => /\d,\d{2}$/.test(cell)) ? ',' : '.',
  }
}
