import type { PaymentMethods } from '#features/settings/contract.ts'
import type { Instant } from '#kit/dates.ts'
import { plainDollars } from '#kit/money.ts'
import type { CreditNoteDetail, Invoice, InvoiceDetail, InvoiceStatus, PaymentMethod, Refund } from './contract.ts'

type RefundStatus = NonNullable<Refund['request']>['status']

/** What an administrator may do with an invoice; server and dialog ask the same table. `expired` is written by time alone. */
const allowedMoves: Record<InvoiceStatus, InvoiceStatus[]> = {
  draft: ['pending', 'paid', 'cancelled'],
  pending: ['paid', 'cancelled'],
  expired: ['pending', 'paid', 'cancelled'],
  paid: ['pending', 'cancelled'],
  cancelled: ['pending', 'paid'],
  // Its credit note is out: nothing comes after.
  refunded: [],
}
export const canMove = (from: InvoiceStatus, to: InvoiceStatus): boolean => allowedMoves[from].includes(to)

/** Draft and pending invoices past their date are expired for the customer, whether or not the job has written it yet. */
export const statusAt = (invoice: Pick<Invoice, 'status' | 'expiresAt'>, now: Date): InvoiceStatus =>
  (invoice.status === 'draft' || invoice.status === 'pending') && new Date(invoice.expiresAt) <= now
    ? 'expired'
    : invoice.status

/** Draft, or pending without a submitted payment (a plan change, a reopened invoice): the customer may still say how it was paid. */
export const awaitsPayment = (invoice: Pick<Invoice, 'status' | 'submittedAt'>): boolean =>
  invoice.status === 'draft' || (invoice.status === 'pending' && invoice.submittedAt === null)

const customerEmail = /^Email: (\S+)$/
/** `customerDetails` as the specification fixes it; built only from a validated address. */
export const customerDetailsFor = (email: string): string => `Email: ${email}`
/** The address in `customerDetails`, read from its first line only. */
export const emailIn = (customerDetails: string): string | undefined =>
  customerEmail.exec(customerDetails.split('\n', 1)[0] ?? '')?.[1]

type NoteReference = Pick<Invoice, 'invoiceNumber' | 'paymentReference'>
/** The note a customer types into the payment app: the prefix, and the invoice's number or its phrase. */
export const paymentNoteFor = (prefix: string, { invoiceNumber, paymentReference }: NoteReference): string =>
  prefix + (paymentReference ?? invoiceNumber)

/** How the note that a customer entered compares to the one requested. */
export const noteMatches = ['same', 'similar', 'different'] as const
export type NoteMatch = (typeof noteMatches)[number]

const normalizedNote = (note: string): string => note.toLowerCase().replace(/[^a-z0-9]/g, '')
/** Whether the note a customer gave is the one that was asked for; similar when it names the invoice in other spelling. Null when none was given. */
export function compareNote(note: string | null, prefix: string, invoice: NoteReference): NoteMatch | null {
  if (!note) return null
  if (note === paymentNoteFor(prefix, invoice)) return 'same'
  const names = [invoice.invoiceNumber, ...(invoice.paymentReference ? [invoice.paymentReference] : [])]
  return names.some((name) => normalizedNote(note).includes(normalizedNote(name))) ? 'similar' : 'different'
}

/** Nothing is left to say or to pay: a plan change that costs nothing only waits for an administrator. */
export const asksForPayment = (invoice: Pick<Invoice, 'status' | 'submittedAt' | 'amount'>): boolean =>
  awaitsPayment(invoice) && (invoice.status === 'draft' || invoice.amount > 0)

/** An invoice number from its six characters, see `invoiceNumberPattern`. */
export const invoiceNumberOf = (characters: string): string => `ORD-${characters}`

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** A placeholder order id, shown until the server has assigned the invoice number. `random` holds at least six bytes. Never used as a key. */
export const orderIdFrom = (random: Uint8Array): string =>
  invoiceNumberOf(Array.from(random.subarray(0, 6), (byte) => alphabet[byte % alphabet.length]).join(''))

export type PaymentFields = { confirmationCode: string; paymentNote: string }
/** What choosing a method does to code and note (specification 4): a card needs neither, the payment apps are given the order's note. */
export const paymentFieldsFor = (method: PaymentMethod, fields: PaymentFields, orderNote: string): PaymentFields =>
  method === 'creditcard'
    ? { confirmationCode: '', paymentNote: '' }
    : { confirmationCode: fields.confirmationCode, paymentNote: orderNote }

export const methodNames: Record<PaymentMethod, string> = {
  cashapp: 'Cash App',
  venmo: 'Venmo',
  creditcard: 'Credit card',
}

/** Why a customer's payment was sent back, for as long as it is to be told again. */
export const openRejectionReason = (
  invoice: Pick<Invoice, 'status' | 'submittedAt' | 'rejectionReason'>,
): string | null => (invoice.status === 'pending' && invoice.submittedAt === null ? invoice.rejectionReason : null)

/** How long something waits, short enough for a column: `5 min`, `3 h`, `2 days`. */
export function formatWait(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} days`
}

/** Within how many hours a submitted payment is promised to be checked. */
export const promisedHours = (
  method: PaymentMethod | null,
  { cardHours, verificationHours }: Pick<PaymentMethods, 'cardHours' | 'verificationHours'>,
): number => (method === 'creditcard' ? cardHours : verificationHours)

/** What an administrator is told beside the bare row. `waitedMinutes` is null where no submitted payment waits. */
export function reviewInfo(row: Invoice & { waitedMinutes: number | null }, payments: PaymentMethods) {
  const hours = promisedHours(row.paymentMethod, payments)
  return {
    expectedNote: paymentNoteFor(payments.notePrefix, row),
    noteMatch: compareNote(row.paymentNote, payments.notePrefix, row),
    overdue: row.waitedMinutes !== null && row.waitedMinutes > hours * 60,
    promisedHours: hours,
  }
}

/** An invoice with what the server found about its code and note. */
type ReviewedInvoice = Invoice & { duplicateCode: boolean; similarCode: string | null; noteMatch: NoteMatch | null }
export type ReviewFlag =
  | 'duplicate_code'
  | 'similar_code'
  | 'not_submitted'
  | 'no_code'
  | 'note_differs'
  | 'no_link'
  | 'own_invoice'
const reviewFlagLabels: Record<Exclude<ReviewFlag, 'similar_code'>, string> = {
  duplicate_code: 'Code used twice',
  not_submitted: 'No payment submitted',
  no_code: 'No code',
  note_differs: 'Other note',
  no_link: 'No payment link sent',
  own_invoice: 'Your own invoice',
}
/** The text of a doubt; a similar code names the other invoice. */
export const reviewFlagLabel = (doubt: ReviewFlag, invoice: Pick<ReviewedInvoice, 'similarCode'>): string =>
  doubt === 'similar_code' ? `Code similar to ${invoice.similarCode}` : reviewFlagLabels[doubt]

/** Whether the code looks like the code of another payment: confirming it needs an acknowledgement. */
export const hasRepeatedCode = ({
  duplicateCode,
  similarCode,
}: Pick<ReviewedInvoice, 'duplicateCode' | 'similarCode'>): boolean => duplicateCode || similarCode !== null

/** What has to be acknowledged before a payment is confirmed together with others. */
export function reviewFlags(invoice: ReviewedInvoice, adminId: number | undefined): ReviewFlag[] {
  const isCard = invoice.paymentMethod === 'creditcard'
  const isOwed = invoice.amount > 0
  const isSubmitted = invoice.submittedAt !== null
  const found: [ReviewFlag, boolean][] = [
    ['duplicate_code', invoice.duplicateCode],
    ['similar_code', invoice.similarCode !== null],
    ['not_submitted', isOwed && !isSubmitted],
    ['no_code', isOwed && isSubmitted && !isCard && !invoice.confirmationCode],
    ['note_differs', invoice.noteMatch === 'different'],
    ['no_link', isOwed && isCard && securePaymentLink(invoice) === undefined],
    ['own_invoice', invoice.userId === adminId],
  ]
  return found.filter(([, isSo]) => isSo).map(([doubt]) => doubt)
}

type Handles = Pick<PaymentMethods, 'cashtag' | 'venmoHandle'>
/** Where the money of a payment app goes; null while the operator has not set it. */
export const recipientOf = (method: 'cashapp' | 'venmo', { cashtag, venmoHandle }: Handles): string | null =>
  (method === 'cashapp' ? cashtag : venmoHandle) || null

/** The text for a customer who chose a method whose payment handle is not set. */
export const noRecipientText = (method: 'cashapp' | 'venmo'): string =>
  `Payment by ${methodNames[method]} is not set up yet. Please do not send money yet: contact us and we will tell you how to pay.`

/** The methods that customers may choose, in the order in which they are shown. */
export const offeredMethods = ({ offers }: Pick<PaymentMethods, 'offers'>): PaymentMethod[] =>
  (Object.keys(methodNames) as PaymentMethod[]).filter((method) => offers[method])

/** `Cash App, Venmo or a credit card`, as far as they are offered. */
export function methodsText(payments: Pick<PaymentMethods, 'offers'>): string {
  const names = offeredMethods(payments).map((method) =>
    method === 'creditcard' ? 'a credit card' : methodNames[method],
  )
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? '')
}

/** The payment app's own page with recipient and amount filled in; undefined for a card, without a recipient and when nothing is owed. */
export function payLink(method: PaymentMethod, to: Handles, cents: number, note: string): string | undefined {
  const recipient = method === 'creditcard' ? null : recipientOf(method, to)
  if (cents <= 0 || recipient === null) return undefined
  if (method === 'cashapp')
    return `https://cash.app/$${encodeURIComponent(recipient.replace(/^\$/, ''))}/${plainDollars(cents)}`
  const search = Object.entries({ txn: 'pay', audience: 'private', amount: plainDollars(cents), note })
  return `https://venmo.com/${encodeURIComponent(recipient.replace(/^@/, ''))}?${search.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`
}

/** Whether the customer may still put account credit on it, or take it off. */
export const canUseCredit = ({
  invoice,
  lines,
  status,
  usableCredit,
}: Pick<InvoiceDetail, 'invoice' | 'lines' | 'status' | 'usableCredit'>): boolean =>
  usableCredit > 0 &&
  awaitsPayment({ ...invoice, status }) &&
  lines.reduce((due, line) => due + (line.kind === 'credit' ? 0 : line.amount), 0) > 0

/** Whether account credit is among the lines. */
export const usesCredit = (detail: Pick<InvoiceDetail, 'lines'>): boolean =>
  detail.lines.some((line) => line.kind === 'credit')

/** A payment link as it may stand in an address: https only, whatever was stored. */
export const securePaymentLink = (invoice: Pick<Invoice, 'paymentLink' | 'paymentMethod'>): string | undefined =>
  invoice.paymentMethod === 'creditcard' && invoice.paymentLink?.startsWith('https://')
    ? invoice.paymentLink
    : undefined

export const invoiceTabs = ['all', 'pending', 'paid', 'expired'] as const
export type InvoiceTab = (typeof invoiceTabs)[number]
export const defaultPlanName = 'IPTV Subscription'
export const defaultDescription = 'Service subscription'

/** The invoices whose number, status or plan name holds `search`, in any case. */
export function searchInvoices<I extends Pick<Invoice, 'invoiceNumber' | 'status' | 'planName'>>(
  invoices: I[],
  search: string,
): I[] {
  const term = search.trim().toLowerCase()
  return invoices.filter((i) =>
    [i.invoiceNumber, i.status, i.planName || defaultPlanName].some((text) => text.toLowerCase().includes(term)),
  )
}

export const invoicesInTab = <I extends Pick<Invoice, 'status'>>(tab: InvoiceTab, invoices: I[]): I[] =>
  tab === 'all' ? invoices : invoices.filter((invoice) => invoice.status === tab)

/** The prefix is the specification's. */
export const isPlanChange = (invoice: Pick<Invoice, 'description'>): boolean =>
  invoice.description.startsWith('Subscription change')

/** A credit note's number as people read it: `CN-000042`. */
export const formatCreditNoteNumber = (number: number): string => `CN-${String(number).padStart(6, '0')}`
/** The number in such a name; undefined for anything else. */
export function parseCreditNoteNumber(name: string): number | undefined {
  const number = Number(/^CN-(\d{6,10})$/.exec(name)?.[1])
  return number >= 1 && number <= 2147483647 ? number : undefined
}

type RefundCandidate = Pick<Invoice, 'status' | 'amount'> & {
  usedCredit: boolean
  request: RefundStatus | null
  until: Instant | null
  isOver: boolean
}
/** Why the money of an invoice cannot be asked back (any more), as the customer reads it; null while it can. */
export function refundRefusal({ status, amount, usedCredit, request, until, isOver }: RefundCandidate): string | null {
  if (status === 'refunded') return 'This invoice is already refunded.'
  if (request === 'pending') return 'You already asked for a refund of this invoice. An administrator looks at it.'
  if (request !== null)
    return 'A refund of this invoice was already decided. Please contact support if you have a question about it.'
  if (status !== 'paid') return 'Only a paid invoice can be refunded.'
  if (amount === 0 && !usedCredit) return 'Nothing was paid for this invoice, so there is nothing to pay back.'
  if (until === null) return 'There is no money-back guarantee for this invoice.'
  return isOver ? `The money-back guarantee of this invoice ended on ${longDay.format(new Date(until))}.` : null
}
const longDay = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** The rows of a credit note: those of its invoice with the opposite sign; they add up to what is paid back. */
export function creditNoteItems({
  invoice,
  lines,
}: Pick<CreditNoteDetail, 'invoice' | 'lines'>): { description: string; amount: number }[] {
  const sold =
    lines.length > 0 ? lines : [{ description: invoice.description || defaultDescription, amount: invoice.amount }]
  return sold.map(({ description, amount }) => ({ description, amount: -amount }))
}
