import { XMLParser } from 'fast-xml-parser'
import { parseDay, signedCents } from '#server/text-files/values.ts'
import { paymentRow, type Statement, type StatementRow, skipped, UnreadableStatement, unreadable } from './statement.ts'
import { joinCut } from './values.ts'

type Node = { [tag: string]: unknown }

const lists = new Set(['Stmt', 'Ntry', 'NtryDtls', 'TxDtls', 'Ustrd', 'Strd', 'AddtlRmtInf'])

/** Returns the node at a path of tags; undefined if a tag is missing. In a list the first node is used. */
function nodeAt(node: unknown, ...tags: string[]): unknown {
  let found: unknown = node
  for (const tag of tags) {
    if (Array.isArray(found)) found = found[0]
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, tag)) return undefined
    found = (found as Node)[tag]
  }
  return found
}

/** Returns the trimmed text of the element at a path of tags; empty if there is none. The element may have attributes. */
function textAt(node: unknown, ...tags: string[]): string {
  const found = nodeAt(node, ...tags)
  const value = typeof found === 'object' && found !== null ? (found as Node)['#text'] : found
  return typeof value === 'string' ? value.trim() : ''
}

const listAt = (node: unknown, ...tags: string[]): unknown[] => {
  const found = nodeAt(node, ...tags)
  return Array.isArray(found) ? found : []
}

/** Reads CAMT.053, version 02 and later. Throws `UnreadableStatement` for a DOCTYPE, for invalid XML and for XML that is not a statement. */
export function readCamt(text: string): Statement {
  if (/<!DOCTYPE/i.test(text)) throw new UnreadableStatement('doctype')
  let document: unknown
  try {
    const parser = new XMLParser({
      ignoreAttributes: false,
      parseTagValue: false,
      parseAttributeValue: false,
      removeNSPrefix: true,
      isArray: (name) => lists.has(name),
    })
    document = parser.parse(text, true)
  } catch {
    throw new UnreadableStatement('broken_xml')
  }
  const statements = listAt(document, 'Document', 'BkToCstmrStmt', 'Stmt')
  if (statements.length === 0) throw new UnreadableStatement('no_statement')
  let number = 0
  const rows = statements.flatMap((statement) =>
    listAt(statement, 'Ntry').flatMap((entry) => readEntry(entry, textAt(statement, 'Acct', 'Ccy'), ++number)),
  )
  return { format: 'camt.053', account: null, rows }
}

function readEntry(entry: unknown, accountCurrency: string, line: number): StatementRow[] {
  const status = textAt(entry, 'Sts') || textAt(entry, 'Sts', 'Cd')
  const isCredit = textAt(entry, 'CdtDbtInd') === 'CRDT'
  const isReversal = /^(true|1)$/.test(textAt(entry, 'RvslInd'))
  if (status !== 'BOOK') return [skipped(line, 'pending')]
  if (isCredit && isReversal) return [skipped(line, 'reversed_debit')]
  if (!isCredit && !isReversal) return [skipped(line, 'outgoing')]
  const day = dateOf(entry)
  if (!day) return [unreadable(line, 'date')]
  const parts = listAt(entry, 'NtryDtls').flatMap((details) => listAt(details, 'TxDtls'))
  const reference = textAt(entry, 'AcctSvcrRef')
  const shared = { direction: isReversal ? ('reversal' as const) : ('in' as const), ...day }
  const one = (part: unknown, money: unknown, own: string | null, extra: string): StatementRow => {
    const amount = signedCents(textAt(money).replace(/^0+(?=\d)/, ''), '.')
    const currency = textAt(money, '@_Ccy') || textAt(entry, 'Amt', '@_Ccy') || accountCurrency
    if (amount === null || amount <= 0) return unreadable(line, 'amount')
    if (!/^[A-Z]{3}$/.test(currency)) return unreadable(line, 'currency')
    const name = payerOf(part)
    return paymentRow(line, {
      rail: 'bank',
      ...shared,
      amount,
      currency,
      payerName: name,
      note: noteOf(part) || extra || endToEndOf(part),
      providerReference: own,
    })
  }
  if (parts.length <= 1) {
    const own = reference || textAt(parts[0], 'Refs', 'AcctSvcrRef') || null
    return [one(parts[0], nodeAt(entry, 'Amt'), own, textAt(entry, 'AddtlNtryInf'))]
  }
  return parts.map((part, index) => {
    if (textAt(part, 'CdtDbtInd') === 'DBIT' && isCredit) return skipped(line, 'outgoing')
    const money =
      nodeAt(part, 'Amt') ?? nodeAt(part, 'AmtDtls', 'TxAmt', 'Amt') ?? nodeAt(part, 'AmtDtls', 'InstdAmt', 'Amt')
    return one(part, money, reference ? `${reference}/${index + 1}` : null, '')
  })
}

function dateOf(entry: unknown): { paidAt: string | null; paidOn: string | null } | null {
  const date = nodeAt(entry, 'BookgDt') === undefined ? 'ValDt' : 'BookgDt'
  const moment = textAt(entry, date, 'DtTm')
  if (/(Z|[+-]\d\d:\d\d)$/.test(moment) && !Number.isNaN(Date.parse(moment)))
    return { paidAt: new Date(moment).toISOString(), paidOn: null }
  const paidOn = parseDay((textAt(entry, date, 'Dt') || moment).slice(0, 10), 'yyyy-MM-dd')
  return paidOn ? { paidAt: null, paidOn } : null
}

/** Returns the name of the debtor. Since version 08 it is inside `Pty`. */
function payerOf(part: unknown): string {
  const parties = nodeAt(part, 'RltdPties')
  for (const role of ['Dbtr', 'UltmtDbtr']) {
    const name = textAt(parties, role, 'Pty', 'Nm') || textAt(parties, role, 'Nm')
    if (name) return name
  }
  return ''
}

function noteOf(part: unknown): string {
  const free = joinCut(listAt(part, 'RmtInf', 'Ustrd').map((piece) => textAt(piece)))
  const structured = listAt(part, 'RmtInf', 'Strd').map((piece) => textAt(piece, 'CdtrRefInf', 'Ref'))
  const further = listAt(part, 'RmtInf', 'Strd').flatMap((piece) =>
    listAt(piece, 'AddtlRmtInf').map((text) => textAt(text)),
  )
  return [free, ...structured, ...further].filter(Boolean).join(' ')
}

const endToEndOf = (part: unknown): string => {
  const id = textAt(part, 'Refs', 'EndToEndId')
  return /^(NOTPROVIDED|NONREF)?$/i.test(id) ? '' : id
}
