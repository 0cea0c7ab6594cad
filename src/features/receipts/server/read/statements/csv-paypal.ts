import { columnsOf, findHeader, type Row } from '#server/text-files/table.ts'
import { parseDay, signedCents } from '#server/text-files/values.ts'
import { readRows } from './csv-apps.ts'
import { paymentRow, type Statement, skipped, unreadable } from './statement.ts'
import { instantIn } from './values.ts'

const names = {
  date: ['Date', 'Datum', 'Fecha', 'Data'],
  time: ['Time', 'Uhrzeit', 'Hora', 'Heure', 'Ora'],
  zone: ['TimeZone', 'Time Zone', 'Zeitzone', 'Zona horaria', 'Huso horario', 'Fuseau horaire', 'Fuso orario'],
  name: ['Name', 'Nombre', 'Nom', 'Nome'],
  type: ['Type', 'Typ', 'Beschreibung', 'Tipo', 'Description'],
  status: ['Status', 'Estado', 'État', 'Stato'],
  currency: ['Currency', 'Währung', 'Divisa', 'Moneda', 'Devise', 'Valuta'],
  gross: ['Gross', 'Brutto', 'Bruto', 'Avant commission', 'Brut', 'Lordo'],
  fee: ['Fee', 'Fees', 'Gebühr', 'Entgelt', 'Tarifa', 'Comisión', 'Commission', 'Tariffa'],
  from: [
    'From Email Address',
    'Absender E-Mail-Adresse',
    'Correo electrónico del remitente',
    "De l'adresse email",
    'Indirizzo email mittente',
  ],
  to: [
    'To Email Address',
    'Empfänger E-Mail-Adresse',
    'Correo electrónico del destinatario',
    "À l'adresse email",
    'Indirizzo email destinatario',
  ],
  id: ['Transaction ID', 'Transaktionscode', 'Id. de transacción', 'Numéro de transaction', 'Codice transazione'],
  original: [
    'Reference Txn ID',
    'Zugehöriger Transaktionscode',
    'Id. de transacción de referencia',
    'Numéro de la transaction de référence',
    'Codice transazione di riferimento',
  ],
  note: ['Note', 'Hinweis', 'Nota', 'Remarque'],
  subject: ['Subject', 'Betreff', 'Asunto', 'Objet', 'Oggetto'],
  impact: ['Balance Impact', 'Auswirkung auf Guthaben', 'Efecto en el saldo', 'Impact sur le solde'],
}

const isPayment = /payment|money received|zahlung|pago|paiement|pagamento/i
const isNoPayment =
  /refund|reversal|r(ü|ue)ck|reembolso|devoluci|rembours|rimbors|hold|einbehalt|retenci|release|\bfee\b|withdraw|abbuchung|retir|conversion|umrechnung|authori[sz]ation|order/i
const isReversal = /reversal|chargeback|r(ü|ue)ckbuchung|reversi|contracargo|annulation|storno/i
const isCompleted =
  /^(completed|cleared|abgeschlossen|completado|completed?a|terminé|effectué|refunded|partially refunded|reversed)/i
const isPending =
  /^(pending|held|on hold|uncleared|under review|processing|ausstehend|offen|pendiente|en attente|in sospeso)/i

/** PayPal: times have a zone, and headings are in one of several languages. Rows whose balance impact is "Memo" move no money. */
export function readPayPal(rows: Row[]): Statement | null {
  const header = findHeader(rows, [names.date, names.time, names.gross, names.id])
  if (header < 0) return null
  const cell = columnsOf(rows[header]!)
  const body = rows.slice(header + 1)
  const decimal = body.some((row) => /,\d{2}$/.test(cell(row, ...names.gross))) ? ',' : '.'
  const dateFormat = dateFormatOf(
    body.map((row) => cell(row, ...names.date)),
    decimal,
  )
  const recipients: string[] = []
  const statementRows = readRows(rows, header, (row) => {
    const value = (key: keyof typeof names) => cell(row, ...names[key])
    const amount = signedCents(value('gross'), decimal)
    if (!value('id') && !value('gross')) return null
    if (amount === null) return unreadable(row.line, 'amount')
    const reverses = amount < 0 && isReversal.test(value('type')) && value('original') !== ''
    const moneyIn = amount > 0 && isPayment.test(value('type')) && !isNoPayment.test(value('type'))
    if (!reverses && !moneyIn) return skipped(row.line, amount < 0 ? 'outgoing' : 'not_money_in')
    const final = isCompleted.test(value('status'))
    if (!final && !isPending.test(value('status'))) return skipped(row.line, 'not_completed')
    if (final && /^memo/i.test(value('impact'))) return skipped(row.line, 'not_money_in')
    const day = parseDay(value('date'), dateFormat)
    const paidAt = day && instantIn(day, value('time'), value('zone') || 'UTC')
    if (!paidAt) return unreadable(row.line, 'date')
    if (!/^[A-Z]{3}$/.test(value('currency'))) return unreadable(row.line, 'currency')
    if (moneyIn && value('to')) recipients.push(value('to').toLowerCase())
    const fee = Math.abs(signedCents(value('fee'), decimal) ?? 0)
    return paymentRow(row.line, {
      rail: 'paypal',
      direction: reverses ? 'reversal' : 'in',
      amount: Math.abs(amount),
      currency: value('currency'),
      fee: fee || null,
      final,
      paidAt,
      payerName: value('name'),
      payerHandle: reverses ? null : value('from').toLowerCase(),
      note: value('note') || value('subject'),
      providerReference: value('id') || null,
      reversesReference: reverses ? value('original') : null,
    })
  })
  const [account, ...others] = new Set(recipients)
  return { format: 'csv:paypal', account: others.length === 0 ? (account ?? null) : null, rows: statementRows }
}

/** Returns the date format of a file: month first, unless a first number above 12, dots in the dates or a decimal comma indicate that the day is first. */
function dateFormatOf(dates: string[], decimal: string): string {
  if (dates.some((date) => /^\d{4}-/.test(date))) return 'yyyy-MM-dd'
  const isDayFirst = dates.some((date) => date.includes('.') || Number(date.split('/', 1)[0]) > 12)
  const isMonthFirst = dates.some((date) => Number(date.split('/')[1]) > 12)
  return (isDayFirst || decimal === ',') && !isMonthFirst ? 'dd/MM/yyyy' : 'MM/dd/yyyy'
}
