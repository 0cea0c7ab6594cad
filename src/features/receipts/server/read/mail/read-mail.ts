import type { Evidence, PaymentFacts } from '#features/payments/server/matching/types.ts'
import type { SentMoney } from '#features/payments/server/service/reversals/settle-sent.ts'
import { type Authenticity, type DnsResolver, type Mailbox, type RefusedBecause, verifyMail } from './authenticity.ts'
import { type MailDocument, readDocument, UnreadableMail } from './document.ts'
import type { AccountKind, Sender } from './senders.ts'
import type { NotMoneyIn, TemplatePayment, TemplateReading } from './template.ts'
import { readSent } from './templates/sent.ts'
import { lookAlikeOf, readUnknown } from './templates/unknown.ts'

/** The operator's accounts of one kind. `names` and `accounts` (last digits) are only compared if the list is not empty. */
export type OwnAccount = { names: string[]; handles: string[]; addresses: string[]; accounts?: string[] }
export type MailContext = {
  now: Date
  resolver: DnsResolver
  mailbox: Mailbox
  accounts: Partial<Record<AccountKind, OwnAccount>>
  /** The result of an earlier verification. It is used instead of a new one, because the signing key may no longer be published. */
  verified?: Authenticity
}

/** What was read from an email. `payments` is empty unless the outcome is `payment`; `template` is null for an unknown layout. */
export type ReadMail = {
  auth: Authenticity['auth']
  outcome: 'payment' | 'not_a_payment' | 'refused' | 'ignored' | 'unreadable'
  reason: RefusedBecause | NotMoneyIn | 'other_recipient' | 'template_unknown' | string | null
  payments: PaymentFacts[]
  evidence: Evidence
  template: { name: string; version: number } | null
  /** The domain that must have signed the email; null for an unknown sender. */
  signedBy: string | null
  sourceKey: string
  isRetryable: boolean
  /** Money that the operator sent to someone, if the email reports that; otherwise null. */
  sent: SentMoney | null
}

/**
 * Reads a payment notification: who signed it, whether it reports incoming money, who was paid, and the fields of the payments. A failure to parse it is part
 * of the result.
 */
export async function readMail(raw: Uint8Array, context: MailContext): Promise<ReadMail> {
  const authenticity = context.verified ?? (await verifyMail(raw, context))
  const answer = (changes: Partial<ReadMail> & Pick<ReadMail, 'outcome' | 'reason'>): ReadMail => ({
    auth: authenticity.auth,
    payments: [],
    evidence: evidenceOf(authenticity, false),
    template: null,
    signedBy: authenticity.sender?.domain ?? null,
    sourceKey: authenticity.sourceKey,
    isRetryable: authenticity.isRetryable,
    sent: null,
    ...changes,
  })
  const { sender, refused } = authenticity
  if (!sender || refused === 'unknown_sender') return answer({ outcome: 'ignored', reason: 'unknown_sender' })
  if (refused) return answer({ outcome: 'refused', reason: refused })
  try {
    const mail = await readDocument(raw)
    const { reading, template } = readWithTemplates(mail, sender)
    if (!reading) return answer({ ...asNoPayment(mail), sent: sentOf(mail, sender, context) })
    if ('notMoneyIn' in reading) return answer({ outcome: 'not_a_payment', reason: reading.notMoneyIn })
    const own = context.accounts[sender.account]
    if (reading.payments.some((payment) => !isPaidToUs(payment, mail, own)))
      return answer({ outcome: 'refused', reason: 'other_recipient' })
    const payments = reading.payments.map((payment) => factsOf(payment, mail, sender))
    const evidence = evidenceOf(authenticity, template !== null)
    return answer({ outcome: 'payment', reason: null, payments, evidence, template })
  } catch (error) {
    const reason = error instanceof UnreadableMail ? error.message : 'unreadable'
    return answer({ outcome: 'unreadable', reason })
  }
}

/** Returns what an email to the operator says about money that the operator sent; null if it says nothing about that. */
function sentOf(mail: MailDocument, sender: Sender, { accounts, now }: MailContext): SentMoney | null {
  const own = accounts[sender.account]
  const kind = lookAlikeOf(mail)
  const sent = kind === 'outgoing' || kind === 'refund' ? readSent(mail) : null
  if (!sent || !own || !isAddressedTo(mail, own)) return null
  const { currency, ...rest } = sent
  const at = (mail.date ?? now).toISOString()
  return { ...rest, at, rail: sender.rail, currency: currency ?? (sender.namesUsDollars ? 'USD' : unknownCurrency) }
}

/** Used as the currency code if the email names none. */
const unknownCurrency = '???'

const evidenceOf = ({ auth, signedAt }: Authenticity, templateKnown: boolean): Evidence => ({
  auth,
  recipientIsOurs: true,
  templateKnown,
  signedAt: signedAt?.toISOString() ?? null,
})

type Found = { reading: TemplateReading | null; template: ReadMail['template'] }

/**
 * Reads with the first template in which every field is at its expected position. If none fits, an email that looks like a payment is read as an unknown
 * layout.
 */
function readWithTemplates(mail: MailDocument, sender: Sender): Found {
  for (const { name, version, read } of sender.templates) {
    const reading = read(mail)
    if (reading) return { reading, template: { name, version } }
  }
  return { reading: lookAlikeOf(mail) ? null : readUnknown(mail), template: null }
}

const soundsLikeMoney = /\b(sent|paid) you\b|\byou received (money|[$€£])|\bdeposited the\b|\bpayment received\b/i

function asNoPayment(mail: MailDocument): Pick<ReadMail, 'outcome' | 'reason'> {
  const lookAlike = lookAlikeOf(mail)
  if (lookAlike) return { outcome: 'not_a_payment', reason: lookAlike }
  const isMoney = [mail.subject, ...mail.lines.slice(0, 2)].some((line) => soundsLikeMoney.test(line))
  return isMoney
    ? { outcome: 'unreadable', reason: 'template_unknown' }
    : { outcome: 'not_a_payment', reason: 'other_mail' }
}

/**
 * Whether a payment was made to the operator. The signed `To` header must be an address of the operator. The handle, name and account must also be the
 * operator's if the layout contains them.
 */
function isPaidToUs({ recipient }: TemplatePayment, mail: MailDocument, own: OwnAccount | undefined): boolean {
  if (!own) return false
  const among = (value: string | null | undefined, list: string[] = []) =>
    !value || list.length === 0 || list.some((each) => plainHandle(each) === plainHandle(value))
  const isHandle = !recipient.handle || (own.handles.length > 0 && among(recipient.handle, own.handles))
  return (
    isAddressedTo(mail, own) && isHandle && among(recipient.name, own.names) && among(recipient.account, own.accounts)
  )
}

function isAddressedTo({ toAddresses }: MailDocument, own: OwnAccount): boolean {
  const addresses = own.addresses.map((address) => address.toLowerCase())
  return toAddresses.length > 0 && toAddresses.every((address) => addresses.includes(address))
}

const plainHandle = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

function factsOf(payment: TemplatePayment, mail: MailDocument, sender: Sender): PaymentFacts {
  const { recipient: _, currency, ...fields } = payment
  return {
    ...fields,
    rail: sender.rail,
    fee: null,
    // A `$` alone can mean any dollar currency.
    currency: currency ?? (sender.namesUsDollars ? 'USD' : unknownCurrency),
    paidAt: mail.date?.toISOString() ?? null,
    paidOn: null,
    reversesReference: payment.direction === 'reversal' ? payment.providerReference : null,
  }
}
