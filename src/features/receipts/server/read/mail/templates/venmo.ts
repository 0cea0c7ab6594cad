import { type MoneyText, readMoney } from '../../money-text.ts'
import { payerText } from '../../payer-text.ts'
import { afterComment, labeledValue, type MailDocument, textOf } from '../document.ts'
import { type MailTemplate, moneyIn, statusOf, type TemplateReading } from '../template.ts'

const isTransactionId = (text: string | null): text is string => /^(\d{16,20}|[0-9A-Z]{17})$/.test(text ?? '')

/** Whether the signed subject repeats the name and amount, in one of three wordings. */
function subjectAgrees({ subject }: MailDocument, name: string, { cents }: MoneyText): boolean {
  if (!subject.startsWith(`${name} paid `)) return false
  const rest = subject.slice(`${name} paid `.length)
  const [, amount] = /^(?:you |your )?(\S+)(?: request| to your Venmo account\b.*)?$/.exec(rest) ?? []
  return readMoney(amount ?? '')?.cents === cents
}

/** The 2023 layout: an HTML comment precedes each field. */
function readStory(mail: MailDocument): TemplateReading | null {
  if (!mail.root) return null
  const actor = textOf(afterComment(mail.root, 'actor name'))
  const recipient = textOf(afterComment(mail.root, 'recipient name'))
  const signed = textOf(afterComment(mail.root, 'amount'))
  if (!actor || !signed) return null
  const action = textOf(afterComment(mail.root, 'action'))
  if (/charge|request/i.test(action)) return { notMoneyIn: 'request' }
  if (actor === 'You' || signed.startsWith('-')) return { notMoneyIn: 'outgoing' }
  const amount = readMoney(signed.replace(/^\+ ?/, ''))
  const reference = mail.lines
    .findLast((line) => line.startsWith('Payment ID:'))
    ?.slice('Payment ID:'.length)
    .trim()
  if (!amount || !/^\+/.test(signed) || recipient !== 'You' || !isTransactionId(reference ?? null)) return null
  if (action !== 'paid' || !subjectAgrees(mail, actor, amount)) return null
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    payerName: payerText(actor),
    note: payerText(textOf(afterComment(mail.root, 'note'))),
    providerReference: reference ?? null,
  })
}

/** Returns the handle that was paid. The last one counts, because a note may contain text that looks like this field. */
const sentTo = (mail: MailDocument): string | null => mail.labels.get('sent to')?.at(-1) ?? null

/** The 2026 layout: a heading, an amount that is split across several elements, then headings with values. */
function readCard(mail: MailDocument): TemplateReading | null {
  const headings = mail.root?.querySelectorAll('h1') ?? []
  const heading = headings.length === 1 ? textOf(headings[0]) : ''
  const containers = mail.root?.querySelectorAll('.amount-container') ?? []
  const amount = containers.length === 1 ? readMoney(textOf(containers[0]).replaceAll(' ', '')) : null
  const [, name, requested] = /^(.+) paid (?:you|your (\S+) request)$/.exec(heading) ?? []
  const reference = labeledValue(mail, 'transaction id')
  const handle = sentTo(mail)
  if (!name || !amount || !isTransactionId(reference) || !handle) return null
  if (requested && readMoney(requested)?.cents !== amount.cents) return null
  if (!subjectAgrees(mail, name, amount)) return null
  const notes = mail.root?.querySelectorAll('.transaction-note') ?? []
  if (notes.length > 1) return null
  const above = mail.lines.slice(0, mail.lines.indexOf('$')).filter((line) => line !== heading)
  const headlines = (mail.root?.querySelectorAll('h2') ?? []).map(textOf)
  const state = statusOf([...above, ...headlines])
  if (state === 'canceled') return { notMoneyIn: 'canceled' }
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    final: state === 'final',
    payerName: payerText(name),
    note: payerText(textOf(notes[0])),
    providerReference: reference,
    recipient: { handle },
  })
}

export const venmoTemplates: MailTemplate[] = [
  { name: 'venmo-story', version: 1, read: readStory },
  { name: 'venmo-card', version: 2, read: readCard },
]
