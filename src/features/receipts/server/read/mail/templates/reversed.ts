import { moneyPattern, readMoney } from '../../money-text.ts'
import { payerText } from '../../payer-text.ts'
import { labeledValue, type MailDocument } from '../document.ts'
import type { MailTemplate, TemplateReading } from '../template.ts'

const verbs = '(?:was|has been|is being|is) (?:reversed|returned|charged back|disputed|taken back)'
const subjectForm = new RegExp(`^(?:(?:A|The|Your) )?(?:.*)payment (?:.*)from (.+) ${verbs}\\.?$`, 'i')
const headlineForms = [
  new RegExp(`^(?:A|The|Your) (${moneyPattern}) payment from (.+) ${verbs}\\.?$`, 'i'),
  new RegExp(`^(?:A|The|Your) payment of (${moneyPattern}) from (.+) ${verbs}\\.?$`, 'i'),
]

/** Reads a payment that the provider takes back. The headline names its amount and payer. The transaction number is that of the original payment. */
function readReversed(mail: MailDocument): TemplateReading | null {
  const named = subjectForm.exec(mail.subject)?.[1]
  const top = mail.lines.slice(0, 3)
  const headline = top.flatMap((line) => headlineForms.map((form) => form.exec(line))).find((found) => found !== null)
  const amount = readMoney(headline?.[1] ?? '')
  const reference = labeledValue(mail, 'transaction id', 'transaction number', 'identifier', 'payment id')?.replace(
    /^#/,
    '',
  )
  if (!named || !amount || headline?.[2] !== named || !reference) return null
  return {
    payments: [
      {
        direction: 'reversal',
        amount: amount.cents,
        currency: amount.currency,
        final: true,
        payerName: payerText(named),
        payerHandle: null,
        note: null,
        providerReference: reference,
        recipient: { handle: mail.labels.get('sent to')?.at(-1) ?? null },
      },
    ],
  }
}

/** Used for all providers, because they use the same sentence. */
export const reversedTemplates: MailTemplate[] = [{ name: 'reversed', version: 1, read: readReversed }]
