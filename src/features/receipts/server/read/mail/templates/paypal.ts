import { moneyPattern, readMoney } from '../../money-text.ts'
import { payerText } from '../../payer-text.ts'
import type { MailDocument } from '../document.ts'
import { type MailTemplate, moneyIn, statusOf, type TemplateReading } from '../template.ts'

type Words = { received: RegExp; sent: RegExp; note: RegExp; details: RegExp; id: RegExp; amount: RegExp }

const english: Words = {
  received: new RegExp(`^(.+), you received (${moneyPattern})$`, 'i'),
  sent: new RegExp(`^(.+) sent you (${moneyPattern})$`),
  note: /^Note from (.+):$/,
  details: /^Transaction Details$/i,
  id: /^Transaction ID:?(?: ([0-9A-Z]{17}))?$/i,
  amount: new RegExp(`^Amount:? (${moneyPattern})$`, 'i'),
}
const spanish: Words = {
  received: new RegExp(`^(.+), (?:ha recibido|has recibido|recibi[oó]|recibiste) (${moneyPattern})$`, 'i'),
  sent: new RegExp(`^(.+) (?:le|te) (?:envi[oó]|ha enviado) (${moneyPattern})$`),
  note: /^Nota de (.+):$/,
  details: /^(?:Detalles|Datos) de la transacci[oó]n$/i,
  id: /^(?:Id\.?|Identificador|N[uú]mero)(?: de (?:la )?transacci[oó]n)?:?(?: ([0-9A-Z]{17}))?$/i,
  amount: new RegExp(`^(?:Importe|Monto|Cantidad):? (${moneyPattern})$`, 'i'),
}

/**
 * Layout: a line with the account owner, possibly a status, a line with the payer, the note, and the transaction details. The last details heading counts,
 * because a note may contain the same words.
 */
function readReceived(mail: MailDocument, words: Words): TemplateReading | null {
  const { lines } = mail
  const owner = lines.findIndex((line) => words.received.test(line))
  const sent = lines.findIndex((line, index) => index > owner && words.sent.test(line))
  const details = lines.findLastIndex((line) => words.details.test(line))
  if (owner < 0 || sent < 0 || details < sent) return null
  const [, recipient, received] = words.received.exec(lines[owner]!)!
  const [, name = '', money = ''] = words.sent.exec(lines[sent]!)!
  const amount = readMoney(money)
  const id = details + 1 + lines.slice(details + 1).findIndex((line) => words.id.test(line))
  const reference = words.id.exec(lines[id] ?? '')?.[1] ?? lines[id + 1] ?? ''
  const row = lines.slice(details).flatMap((line) => words.amount.exec(line)?.[1] ?? [])[0]
  if (!amount || id <= details || !/^[0-9A-Z]{17}$/.test(reference)) return null
  if ([received, row].some((text) => text !== undefined && !isSame(text, amount))) return null
  const noteLine = lines[sent + 1] ?? ''
  const hasNote = words.note.exec(noteLine)?.[1] === name
  if (!hasNote && sent + 1 !== details) return null
  const state = statusOf(lines.slice(0, sent))
  if (state === 'canceled') return { notMoneyIn: 'canceled' }
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    final: state === 'final',
    payerName: payerText(name),
    note: hasNote ? payerText(lines.slice(sent + 2, details).join('\n')) : null,
    providerReference: reference,
    recipient: { name: recipient ?? null },
  })
}

function isSame(text: string, amount: { cents: number; currency: string | null }): boolean {
  const read = readMoney(text)
  return read?.cents === amount.cents && read.currency === amount.currency
}

export const paypalTemplates: MailTemplate[] = [
  { name: 'paypal-received', version: 1, read: (mail) => readReceived(mail, english) },
  { name: 'paypal-recibido', version: 1, read: (mail) => readReceived(mail, spanish) },
]
