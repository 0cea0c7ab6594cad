import { readMoney } from '../../money-text.ts'
import { payerText } from '../../payer-text.ts'
import { labeledValue, type MailDocument, textOf } from '../document.ts'
import { type MailTemplate, moneyIn, statusOf, type TemplateReading } from '../template.ts'

/** Returns an identifier such as `#D-QQENK44E` or `#1VX2AYF` without the `#`; null for any other text. */
const identifierOf = (text: string | null): string | null => /^#([A-Z0-9-]{5,40})$/i.exec(text ?? '')?.[1] ?? null

/** Whether the signed subject repeats the name and amount (`NAME sent you $40 for NOTE`), or the name only (`Payment received from NAME`). */
function subjectAgrees({ subject }: MailDocument, name: string, cents: number): boolean {
  if (subject === `Payment received from ${name}`) return true
  const start = [`${name} sent you `, `${name} paid you `].find((words) => subject.startsWith(words))
  if (!start) return false
  const amount = subject.slice(start.length).split(' ', 1)[0] ?? ''
  return readMoney(amount)?.cents === cents
}

/** Layout: the profile name, cashtag and note in separate cells, then rows of labels and values. */
function readReceipt(mail: MailDocument): TemplateReading | null {
  const names = mail.root?.querySelectorAll('.profile-name') ?? []
  const described = (mail.root?.querySelectorAll('.profile-description') ?? []).map(textOf)
  const name = names.length === 1 ? textOf(names[0]) : ''
  const handle = /^Payment from (\$\S+)$/.exec(described[0] ?? '')?.[1]
  const headline = readMoney(textOf(mail.root?.querySelector('.amount')))
  const row = readMoney(labeledValue(mail, 'amount') ?? '')
  const reference = identifierOf(labeledValue(mail, 'identifier'))
  if (!name || !handle || !headline || !row || headline.cents !== row.cents || !reference) return null
  if (described.length > 2 || (described[1] !== undefined && !described[1].startsWith('For '))) return null
  if (labeledValue(mail, 'from') !== name || !subjectAgrees(mail, name, row.cents)) return null
  const amountText = textOf(mail.root?.querySelector('.amount'))
  const status = mail.lines[mail.lines.indexOf(amountText, described.length) + 1] ?? ''
  const state = statusOf([status])
  if (state === 'canceled') return { notMoneyIn: 'canceled' }
  if (state === 'final' && !/^(received|completed|payment received)$/i.test(status)) return null
  return moneyIn({
    amount: row.cents,
    currency: row.currency,
    final: state === 'final',
    payerName: payerText(name),
    payerHandle: handle,
    note: payerText(described[1]?.slice('For '.length)),
    providerReference: reference,
    recipient: { name: labeledValue(mail, 'to') },
  })
}

const headlineForm = /^(.+) (?:paid|sent) you (\S*\d)$/

/** Layout: headline, note, status, a table, and a block that names the recipient and the sender. */
function readTransaction(mail: MailDocument): TemplateReading | null {
  const details = mail.lines.lastIndexOf('Transaction details')
  const top = mail.lines.slice(0, 3).findIndex((line) => headlineForm.test(line))
  const [, name, headline] = headlineForm.exec(mail.lines[top] ?? '') ?? []
  const amount = readMoney(labeledValue(mail, 'amount') ?? '')
  const reference = identifierOf(labeledValue(mail, 'transaction number'))
  const between = mail.lines.lastIndexOf('Payment between')
  const recipient = /^Recipient: (.+)$/.exec(mail.lines[between + 1] ?? '')?.[1]
  const sender = /^Sender: (.+)$/.exec(mail.lines[between + 2] ?? '')?.[1]
  if (!name || !amount || readMoney(headline ?? '')?.cents !== amount.cents || !reference) return null
  if (details < 1 || between < details || !recipient || !sender?.startsWith(name)) return null
  if (!subjectAgrees(mail, name, amount.cents)) return null
  const handle = /^ \((\$[^\s()]+)\)$/.exec(sender.slice(name.length))?.[1] ?? null
  if (sender !== name && !handle) return null
  const notes = (mail.root?.querySelectorAll('.profile-description') ?? []).map(textOf)
  if (notes.length > 1 || (notes[0] !== undefined && !notes[0].startsWith('For '))) return null
  const state = statusOf(mail.lines.slice(top + 1, details).filter((line) => line !== notes[0]))
  if (state === 'canceled') return { notMoneyIn: 'canceled' }
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    final: state === 'final',
    payerName: payerText(name),
    payerHandle: handle,
    note: payerText(notes[0]?.slice('For '.length)),
    providerReference: reference,
    recipient: { name: recipient },
  })
}

export const cashappTemplates: MailTemplate[] = [
  { name: 'cashapp-receipt', version: 1, read: readReceipt },
  { name: 'cashapp-transaction', version: 2, read: readTransaction },
]
