import { moneyPattern, readMoney } from '../../money-text.ts'
import { payerText } from '../../payer-text.ts'
import { labeledValue, type MailDocument, textOf } from '../document.ts'
import { moneyIn, type NotMoneyIn, statusOf, type TemplateReading } from '../template.ts'

const outgoing = [/^you (sent|paid)\b/i, /^(usted )?(envi[oó]|ha enviado|enviaste)\b/i, /^your (zelle )?payment to\b/i]
const request = [
  / (requested|requests|is requesting|charged you|has requested) /i,
  /^you requested /i,
  /^(money )?request\b/i,
  /\brequest reminder\b/i,
]
const refund = [/\brefund(ed)?\b/i]

/**
 * Recognizes emails that resemble a payment email but report no incoming payment, by their subject and first line. Returns their kind; null if the email may
 * report a payment.
 */
export function lookAlikeOf(mail: MailDocument): NotMoneyIn | null {
  const texts = [mail.subject, mail.lines[0] ?? '', textOf(mail.root?.querySelector('h1'))]
  const says = (patterns: RegExp[]) => texts.some((text) => patterns.some((pattern) => pattern.test(text)))
  if (says(refund)) return 'refund'
  if (says(outgoing)) return 'outgoing'
  if (says(request)) return 'request'
  return null
}

const headlines = [
  new RegExp(`^(?<name>.+) (?:sent|paid) you (?<money>${moneyPattern})(?: for .*)?$`),
  /^(?<name>.+) (?:just )?(?:sent|paid) you(?: money)?$/,
  new RegExp(`^(?<name>.+) paid (?<money>${moneyPattern}) to your .*$`),
  new RegExp(`^(?<name>.+) paid your (?<money>${moneyPattern}) request$`),
  new RegExp(`^You received (?<money>${moneyPattern}) from (?<name>.+?)\\.?$`, 'i'),
  /^Payment received from (?<name>.+)$/i,
]

/** Reads an email without a template as far as possible, so that an administrator can review it. Returns null if it reports no incoming money. */
export function readUnknown(mail: MailDocument): TemplateReading | null {
  const texts = [textOf(mail.root?.querySelector('h1')), ...mail.lines.slice(0, 4), mail.subject]
  const found = texts.flatMap((text) =>
    headlines.flatMap((form) => {
      const groups = form.exec(text)?.groups
      return groups ? [{ name: groups.name, money: groups.money }] : []
    }),
  )
  const [first] = found
  const stated = labeledValue(mail, 'amount', 'amount received', 'total') ?? found.find(({ money }) => money)?.money
  const amount = readMoney(stated ?? '')
  if (!first?.name || !amount || amount.cents === 0) return null
  const note = labeledValue(mail, 'memo', 'note', 'reference', 'message', 'for') ?? noteElement(mail)
  const reference = labeledValue(mail, 'transaction id', 'transaction number', 'identifier', 'confirmation number')
  const above = texts.filter((text) => text !== note && !text.startsWith(first.name ?? ''))
  const state = statusOf(above)
  if (state === 'canceled') return { notMoneyIn: 'canceled' }
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    final: state === 'final',
    payerName: payerText(first.name),
    note: /^n\/a$/i.test(note ?? '') ? null : payerText(note),
    providerReference: reference?.replace(/^#/, '') || null,
    recipient: { handle: mail.labels.get('sent to')?.at(-1) ?? null },
  })
}

const noteElement = (mail: MailDocument): string | null =>
  textOf(mail.root?.querySelector('.transaction-note')) ||
  mail.root
    ?.querySelectorAll('.profile-description')
    .map(textOf)
    .find((text) => text.startsWith('For '))
    ?.slice(4) ||
  null
