import { moneyPattern, readMoney } from '../../money-text.ts'
import { payerText } from '../../payer-text.ts'
import { labeledValue, type MailDocument, textOf } from '../document.ts'
import { type MailTemplate, moneyIn, type TemplateReading } from '../template.ts'

const chimeStart = new RegExp(`^You received (${moneyPattern}) from (.+?)(?: through Pay Anyone)?(?: for)?$`)

/** Chime layout: one sentence. The note is the only emphasized part. */
function readChime(mail: MailDocument): TemplateReading | null {
  const sentence = mail.root?.querySelectorAll('p').find((p) => textOf(p).startsWith('You received '))
  if (!sentence) return null
  const strong = sentence.querySelectorAll('strong')
  if (strong.length > 1) return null
  const note = textOf(strong[0])
  const whole = textOf(sentence).replace(/\.$/, '')
  if (!whole.endsWith(note)) return null
  const start = whole.slice(0, whole.length - note.length).trim()
  const [, money, name] = chimeStart.exec(start) ?? []
  const amount = readMoney(money ?? '')
  const announced = /^(.+) just sent you money$/.exec(mail.subject)?.[1]
  if (!amount || !name || !announced || !name.startsWith(announced)) return null
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    payerName: payerText(name),
    note: payerText(note),
  })
}

/** Wise layout: a list of labels and values, in several languages. */
function readWise(mail: MailDocument): TemplateReading | null {
  const name = labeledValue(mail, 'from', 'sender', 'von', 'de', 'da', 'absender')
  const amount = readMoney(
    labeledValue(
      mail,
      'amount received',
      'amount',
      'erhaltener betrag',
      'importe recibido',
      'montant reçu',
      'importo ricevuto',
    ) ?? '',
  )
  const number = labeledValue(
    mail,
    'transfer number',
    'überweisungsnummer',
    'transfernummer',
    'número de transferencia',
    'numéro de transfert',
    'numero del trasferimento',
  )
  const reference = /^#?([A-Z0-9-]{5,40})$/i.exec(number ?? '')?.[1]
  if (!name || !amount?.currency || !reference || !mail.subject.includes(name)) return null
  const note = labeledValue(mail, 'reference', 'referenz', 'verwendungszweck', 'referencia', 'référence', 'riferimento')
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    payerName: payerText(name),
    note: payerText(note),
    providerReference: reference,
  })
}

const stripeSubject = new RegExp(`^Payment of (${moneyPattern}) from (.+) for (.+)$`)

/** Stripe layout: the subject names the amount, payer and account. The body repeats them and adds the payment id. */
function readStripe(mail: MailDocument): TemplateReading | null {
  const [, money] = stripeSubject.exec(mail.subject) ?? []
  const sentence = mail.lines.find((line) => line.startsWith('You received a payment of '))
  const inBody = new RegExp(`^You received a payment of (${moneyPattern}) from (.+)\\.$`).exec(sentence ?? '')
  const amount = readMoney(inBody?.[1] ?? '')
  const people = inBody?.[2] ?? ''
  const reference = mail.lines
    .findLast((line) => /^Payment ID:? pi_\w{10,60}$/.test(line))
    ?.split(' ')
    .at(-1)
  if (!money || !amount || readMoney(money)?.cents !== amount.cents || !reference) return null
  if (!mail.subject.endsWith(` from ${people}`)) return null
  const split = people.lastIndexOf(' for ')
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    payerName: payerText(people.slice(0, split)),
    providerReference: reference,
    recipient: { name: people.slice(split + ' for '.length) },
  })
}

const template = (name: string, read: MailTemplate['read']): MailTemplate[] => [{ name, version: 1, read }]
export const chimeTemplates = template('chime', readChime)
export const wiseTemplates = template('wise', readWise)
export const stripeTemplates = template('stripe', readStripe)
