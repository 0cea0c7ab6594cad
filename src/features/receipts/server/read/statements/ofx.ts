import { parseDay, signedCents } from '#server/text-files/values.ts'
import { isPayout, readDescription } from './descriptions.ts'
import { paymentRow, type Statement, type StatementRow, skipped, unreadable } from './statement.ts'

type Transaction = { line: number; fields: Map<string, string> }

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return named[String(name).toLowerCase()] ?? whole
    const code = Number.parseInt(String(decimal ?? hex), decimal ? 10 : 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

/** Reads OFX and QFX 1 (SGML without closing tags, or mixed) and 2 (XML). A value ends at the next tag, so the same tokenizer reads both. */
export function readOfx(text: string): Statement {
  const transactions: Transaction[] = []
  let currency = 'USD'
  let open: Transaction | null = null
  let [line, counted] = [1, 0]
  for (const match of text.matchAll(/<(\/?)([A-Za-z0-9.]+)>([^<]*)/g)) {
    const [, closing, name = '', raw = ''] = match
    for (; counted < match.index; counted++) if (text.charCodeAt(counted) === 10) line++
    const tag = name.toUpperCase()
    const value = unescaped(raw).trim()
    if (tag === 'STMTTRN') {
      open = closing ? null : { line, fields: new Map() }
      if (open) transactions.push(open)
    } else if (tag === 'BANKTRANLIST' || tag === 'LEDGERBAL') open = null
    else if (closing) continue
    else if (tag === 'CURDEF' && value) currency = value
    // The first value of a tag counts, because the same tag may occur again in a nested payee block.
    else if (open && value && !open.fields.has(tag)) open.fields.set(tag, value)
  }
  const ids = transactions.map(({ fields }) => fields.get('FITID') ?? '')
  const uses = Map.groupBy(ids, (id) => id)
  const uniqueId = (id: string) => (id !== '' && uses.get(id)?.length === 1 ? id : null)
  const rows = transactions.map((each, at) => readTransaction(each, currency, uniqueId(ids[at] ?? '')))
  return { format: 'ofx', account: null, rows }
}

function readTransaction({ line, fields }: Transaction, statementCurrency: string, id: string | null): StatementRow {
  const value = (tag: string) => fields.get(tag) ?? ''
  const amount = signedCents(value('TRNAMT'))
  if (amount === null) return unreadable(line, 'amount')
  if (amount <= 0) return skipped(line, 'outgoing')
  const paidOn = parseDay(value('DTPOSTED').slice(0, 8), 'yyyyMMdd')
  if (!paidOn) return unreadable(line, 'date')
  const isConverted = fields.has('ORIGCURRENCY')
  const currency = (isConverted ? '' : value('CURSYM')) || statementCurrency
  if (!/^[A-Z]{3}$/.test(currency)) return unreadable(line, 'currency')
  const [name, memo] = [value('NAME') || value('PAYEE'), value('MEMO')]
  if (isPayout(name)) return skipped(line, 'payout')
  // Some banks cut the name after 32 characters and continue it in the memo.
  const described = (name.length >= 32 && readDescription(name + memo)) || readDescription(`${name} ${memo}`)
  if (described)
    return paymentRow(
      line,
      { ...described, providerReference: described.providerReference ?? id, amount, currency, paidOn },
      id,
    )
  return paymentRow(line, {
    rail: 'bank',
    amount,
    currency,
    paidOn,
    payerName: name,
    note: memo,
    providerReference: id,
  })
}
