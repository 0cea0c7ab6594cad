import { moneyPattern, readMoney } from '../../money-text.ts'
import { payerText } from '../../payer-text.ts'
import { labeledValue, type MailDocument, textOf } from '../document.ts'

/** Money that the operator sent. `currency` is null if there is no currency code next to the amount. */
export type SentMoney = { cents: number; currency: string | null; recipient: string; reference: string | null }

const forms = [
  new RegExp(`^You (?:sent|paid|refunded) (?<money>${moneyPattern}) to (?<name>.+?)\\.?$`, 'i'),
  new RegExp(`^You (?:sent|paid|refunded) (?<name>.+?) (?<money>${moneyPattern})\\.?$`, 'i'),
]
const labels = ['transaction number', 'transaction id', 'identifier', 'payment id']

/** Reads an email about outgoing money from its subject and headline. Returns null if they do not name an amount and recipient, or name different ones. */
export function readSent(mail: MailDocument): SentMoney | null {
  const texts = [mail.subject, textOf(mail.root?.querySelector('h1')), ...mail.lines.slice(0, 2)]
  const found = texts.flatMap((text) =>
    forms.flatMap((form) => {
      const { money = '', name = '' } = form.exec(text)?.groups ?? {}
      const amount = readMoney(money)
      return amount && name ? [{ ...amount, name }] : []
    }),
  )
  const [first] = found
  const recipient = payerText(first?.name)
  if (!first || !recipient || found.some(({ cents, name }) => cents !== first.cents || name !== first.name)) return null
  const below = mail.lines.findIndex((line) => labels.includes(line.toLowerCase()))
  const reference = labeledValue(mail, ...labels) ?? mail.lines[below + 1 || mail.lines.length] ?? ''
  return {
    cents: first.cents,
    currency: first.currency,
    recipient,
    reference: /^#?([\w-]{5,60})$/.exec(reference)?.[1] ?? null,
  }
}
