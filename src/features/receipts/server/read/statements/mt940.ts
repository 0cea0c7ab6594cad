import { dayOf, signedCents } from '#server/text-files/values.ts'
import { paymentRow, type Statement, type StatementRow, skipped, unreadable } from './statement.ts'
import { joinCut } from './values.ts'

type Field = { tag: string; line: number; lines: string[] }

/** Splits the text into fields such as `:61:`. Lines without a tag belong to the preceding field. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = []
  text.split('\n').forEach((raw, at) => {
    const line = raw.replace(/^\{.*\{4:/, '').trimEnd()
    const [, tag, rest] = /^:(\d{2}[A-Z]?):(.*)$/.exec(line) ?? []
    if (tag) fields.push({ tag, line: at + 1, lines: [rest ?? ''] })
    else if (line && !/^-\}?$/.test(line)) fields.at(-1)?.lines.push(line)
  })
  return fields
}

/** Reads MT940: `:61:` fields with the `:86:` fields that describe them. */
export function readMt940(text: string): Statement {
  const fields = fieldsOf(text)
  let currency = ''
  const rows = fields.flatMap((field, at): StatementRow[] => {
    if (/^60[FM]$/.test(field.tag)) currency = /^[CD]\d{6}([A-Z]{3})/.exec(field.lines[0] ?? '')?.[1] ?? ''
    if (field.tag !== '61') return []
    const next = fields[at + 1]
    return [readLine(field, next?.tag === '86' ? next.lines : [], currency)]
  })
  return { format: 'mt940', account: null, rows }
}

const form =
  /^(?<date>\d{6})(?<entry>\d{4})?(?<mark>R?[CD])(?<funds>[A-Z])?(?<amount>\d+,?\d*)(?<kind>[A-Z][A-Z0-9]{3})(?<reference>.*)$/

function readLine(field: Field, information: string[], currency: string): StatementRow {
  const groups = form.exec(field.lines[0] ?? '')?.groups
  if (!groups) return unreadable(field.line, 'structure')
  const { mark, date = '', entry, reference = '' } = groups
  if (mark === 'RD') return skipped(field.line, 'reversed_debit')
  if (mark === 'D') return skipped(field.line, 'outgoing')
  const amount = signedCents((groups.amount ?? '').replace(/^0+(?=\d)/, ''), ',')
  if (amount === null || amount === 0) return unreadable(field.line, 'amount')
  const paidOn = bookedOn(date, entry)
  if (!paidOn) return unreadable(field.line, 'date')
  if (!currency) return unreadable(field.line, 'currency')
  const { payerName, note } = readInformation(information)
  return paymentRow(field.line, {
    rail: 'bank',
    direction: mark === 'RC' ? 'reversal' : 'in',
    amount,
    currency,
    paidOn,
    payerName,
    note,
    providerReference: referenceOf(reference, field.lines[1]),
  })
}

/** Returns the entry date. It has no year in the file, and may be in the year before or after that of the value date. */
function bookedOn(date: string, entry: string | undefined): string | null {
  const [year, month, day] = [0, 2, 4].map((start) => Number(date.slice(start, start + 2))) as [number, number, number]
  if (!entry) return dayOf(year, month, day)
  const entryMonth = Number(entry.slice(0, 2))
  const turn = entryMonth - month > 6 ? -1 : month - entryMonth > 6 ? 1 : 0
  return dayOf(year + turn, entryMonth, Number(entry.slice(2)))
}

/** Returns the bank's reference after `//`, otherwise an id in the supplementary line, otherwise the reference before `//` unless it is `NONREF`. */
function referenceOf(reference: string, supplementary: string | undefined): string | null {
  const [own = '', bank] = reference.split('//', 2)
  if (bank?.trim()) return bank.trim()
  if (supplementary && /^(?=\S*\d)[A-Z0-9][\w-]{7,60}$/i.test(supplementary.trim())) return supplementary.trim()
  return /^(NONREF)?$/i.test(own.trim()) ? null : own.trim()
}

type Information = { payerName: string | null; note: string | null }

/** Reads `:86:` in its three formats: numbered parts (`?20`), keywords between slashes (`/REMI/`), and free text. */
function readInformation(lines: string[]): Information {
  const joined = lines.join('')
  if (/^\d{3}\?\d\d/.test(joined) || /\?2\d/.test(joined)) return numbered(joined)
  if (/^\/[A-Z]{2,4}\//.test(joined)) return slashed(joined)
  // Banks wrap lines after 65 characters, even within a word.
  const text = lines.reduce(
    (all, line, at) => (at === 0 || lines[at - 1]!.length >= 65 ? all + line : `${all} ${line}`),
    '',
  )
  const name = /^Received money from (.+) with reference /i.exec(text)?.[1]
  return { payerName: name ?? null, note: text || null }
}

function numbered(text: string): Information {
  const parts = [...text.matchAll(/\?(\d\d)([^?]*)/g)].map(([, key = '', value = '']) => ({ key: Number(key), value }))
  const join = (from: number, to: number) =>
    parts.filter(({ key }) => key >= from && key <= to).map(({ value }) => value)
  const purpose = joinCut([...join(20, 29), ...join(60, 63)])
  const marker = /(?:EREF|KREF|MREF|BREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC)\+/
  const [, remittance] = new RegExp(`SVWZ\\+(.*?)(?=${marker.source}|$)`, 's').exec(purpose) ?? []
  return { payerName: join(32, 33).join('').trim() || null, note: (remittance ?? purpose).trim() || null }
}

function slashed(text: string): Information {
  const words =
    'TRTP|TRCD|IBAN|BIC|NAME|REMI|EREF|RTRN|MARF|CSID|ORDP|BENM|ID|PURP|CNTP|ADDR|ISDT|PREF|NRTX|SVCL|UTCN|ULTD|ULTC|ULTB'
  const value = (word: string) =>
    new RegExp(`/${word}/(.*?)(?=/(?:${words})/|$)`, 's')
      .exec(text)?.[1]
      ?.replace(/^\/|\/$/g, '')
      .trim() || null
  const note = value('REMI')?.replace(/^(?:USTD|STRD)\/+/, '') ?? null
  return { payerName: value('NAME'), note: note ?? value('EREF') }
}
