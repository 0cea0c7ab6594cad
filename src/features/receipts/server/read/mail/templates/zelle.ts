import { moneyPattern, readMoney } from '../../money-text.ts'
import { payerText } from '../../payer-text.ts'
import { readWellsFargoDescription } from '../../statements/descriptions.ts'
import { labeledValue, type MailDocument, textOf } from '../document.ts'
import { type MailTemplate, moneyIn, statusOf, type TemplatePayment, type TemplateReading } from '../template.ts'

const chaseTitle = /^zelle_auto_accept_receiver(_chase_email)?$/
const noMemo = /^(n\/a|none|-)?$/i

/** Chase layout: the first `title` element names the layout, cells with labels contain the fields, and a sentence repeats the payer's name. */
function readChase(mail: MailDocument): TemplateReading | null {
  if (!chaseTitle.test(textOf(mail.root?.querySelector('title')))) return null
  const headings = mail.root?.querySelectorAll('h1') ?? []
  const name = headings.length === 1 ? /^(.+) sent you money$/.exec(textOf(headings[0]))?.[1] : undefined
  const amount = readMoney(labeledValue(mail, 'amount') ?? '')
  const reference = labeledValue(mail, 'transaction number')
  const memo = labeledValue(mail, 'memo')
  const registered = mail.lines.find((line) => name && line.startsWith(`${name} is registered with a Zelle`))
  if (!name || !amount || memo === null || !registered || !/^\d{8,14}$/.test(reference ?? '')) return null
  const above = mail.lines.slice(0, mail.lines.indexOf('Amount')).filter((line) => line !== `${name} sent you money`)
  const state = statusOf(above)
  if (state === 'canceled') return { notMoneyIn: 'canceled' }
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    final: state === 'final',
    payerName: payerText(name),
    note: noMemo.test(memo) ? null : payerText(memo),
    providerReference: reference,
    recipient: { account: /account ending in (\d{4})\b/.exec(registered)?.[1] ?? null },
  })
}

const bofaHeadline = new RegExp(`^(.+) (?:sent you|le envi[oó]) (${moneyPattern})$`)
const bofaButton = /^(view your balance|ver su saldo)$/i

/** Bank of America layout: a headline that repeats the subject, then possibly a memo, then the button. */
function readBankOfAmerica(mail: MailDocument): TemplateReading | null {
  const [, name, money] = bofaHeadline.exec(mail.subject) ?? []
  const amount = readMoney(money ?? '')
  const top = mail.lines.slice(0, 3).indexOf(mail.subject)
  // If the second line after the headline is the button, the first one is a memo, even if the memo looks like the button.
  const isButton = (at: number) => bofaButton.test(mail.lines[at] ?? '')
  const hasMemo = isButton(top + 2)
  if (!name || !amount || top < 0 || !(hasMemo || isButton(top + 1))) return null
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    payerName: payerText(name),
    note: hasMemo ? payerText(mail.lines[top + 1]) : null,
  })
}

const tdSentence = new RegExp(
  `^We have successfully deposited the (${moneyPattern}) payment from (.+) \\(confirmation number ([A-Z0-9]+)\\) into your account \\(([^()]*)\\)\\.$`,
  'i',
)

/** TD layout: one sentence with all fields. */
function readTd(mail: MailDocument): TemplateReading | null {
  const text = mail.lines.slice(mail.lines.findIndex((line) => line.startsWith('We have successfully'))).join(' ')
  const [, money, name, reference, account] = tdSentence.exec(text.split(/(?<=\)\.) /, 1)[0] ?? '') ?? []
  const amount = readMoney(money ?? '')
  if (!amount || !name || !reference) return null
  return moneyIn({
    amount: amount.cents,
    currency: amount.currency,
    payerName: payerText(name),
    providerReference: reference,
    recipient: { account: /\*+(\d{4})$/.exec(account ?? '')?.[1] ?? null },
  })
}

/**
 * Returns the table rows of a digest that report a Zelle payment. If these contain no amounts, returns its lines instead, each with the amount that follows or
 * precedes it.
 */
function digestRows(mail: MailDocument): string[] {
  const rows = (mail.root?.querySelectorAll('tr') ?? [])
    .map((row) => row.querySelectorAll('td, th').map(textOf).join(' ').trim())
    .filter((row) => /^(\S+ )?ZELLE FROM /i.test(row))
  if (rows.some((row) => row.includes('$'))) return rows
  const isAmount = (line: string | undefined) => readMoney(line ?? '') !== null
  const start = mail.lines.findIndex((line) => /^deposits\b/i.test(line)) + 1
  const step = isAmount(mail.lines[start]) ? -1 : 1
  return mail.lines.flatMap((line, at) => {
    if (!/^(\S+ )?ZELLE FROM /i.test(line)) return []
    const amount = mail.lines[at + step]
    return line.includes('$') || !isAmount(amount) ? line : `${line} ${amount}`
  })
}

const digestRow = new RegExp(`^(?:(${moneyPattern}) )?(ZELLE FROM .+?)(?: (${moneyPattern}))?$`, 'i')

/** Wells Fargo layout: a digest in which each Zelle entry among the deposits is a payment. */
function readWellsFargo(mail: MailDocument): TemplateReading | null {
  const start = mail.lines.findIndex((line) => /^deposits\b/i.test(line))
  if (start < 0) return null
  const account = /\.{3}(\d{4})\b/.exec(mail.lines.slice(0, start).join(' '))?.[1] ?? null
  const payments = digestRows(mail).flatMap((row): TemplatePayment[] => {
    const [, before, text = '', behind] = digestRow.exec(row) ?? []
    const zelle = readWellsFargoDescription(text)
    const amount = readMoney(before ?? behind ?? '')
    if (!zelle || !amount) return []
    const { payerName, note, providerReference } = zelle
    return [
      {
        direction: 'in',
        amount: amount.cents,
        currency: amount.currency,
        final: true,
        payerName: payerText(payerName),
        payerHandle: null,
        note: payerText(note),
        providerReference,
        recipient: { account },
      },
    ]
  })
  return payments.length > 0 ? { payments } : null
}

const template = (name: string, read: MailTemplate['read']): MailTemplate[] => [{ name, version: 1, read }]
export const chaseTemplates = template('zelle-chase', readChase)
export const bankOfAmericaTemplates = template('zelle-bofa', readBankOfAmerica)
export const tdTemplates = template('zelle-td', readTd)
export const wellsFargoTemplates = template('zelle-wellsfargo', readWellsFargo)
