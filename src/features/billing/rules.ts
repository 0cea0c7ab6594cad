import type { PaymentMethods } from '#features/settings/contract.ts'
import { plainDollars } from '#kit/money.ts'
import { checkCharacterOf, invoiceSymbols } from './check-character-rules.ts'
import type { Invoice, InvoiceDetail, InvoiceStatus, PaymentMethod } from './contract.ts'

/** The status changes an administrator may make, used by the server and the dialog. `expired` is set only by the expiry job. */
const allowedMoves: Record<InvoiceStatus, InvoiceStatus[]> = {
  draft: ['pending', 'paid', 'cancelled'],
  pending: ['paid', 'cancelled'],
  expired: ['pending', 'paid', 'cancelled'],
  paid: ['pending', 'cancelled'],
  cancelled: ['pending', 'paid'],
  // Final: the credit note has been issued.
  refunded: [],
}
export const canMove = (from: InvoiceStatus, to: InvoiceStatus): boolean => allowedMoves[from].includes(to)

/** Returns the status at the given time: draft and pending invoices past `expiresAt` count as expired even before the job has updated the row. */
export const statusAt = (invoice: Pick<Invoice, 'status' | 'expiresAt'>, now: Date): InvoiceStatus =>
  (invoice.status === 'draft' || invoice.status === 'pending') && new Date(invoice.expiresAt) <= now
    ? 'expired'
    : invoice.status

/** Whether the customer can submit a payment: the invoice is a draft, or pending without a submission (a plan change, a reopened invoice). */
export const awaitsPayment = (invoice: Pick<Invoice, 'status' | 'submittedAt'>): boolean =>
  invoice.status === 'draft' || (invoice.status === 'pending' && invoice.submittedAt === null)

const customerEmail = /^Email: (\S+)$/
/** Returns the lines that name the seller on an invoice: those in the settings, or else the brand name and the contact email address. */
export const sellerLines = (
  { billFrom }: Pick<PaymentMethods, 'billFrom'>,
  { brand, contact }: { brand: { name: string }; contact: { email: string } },
): string[] => (billFrom.length > 0 ? billFrom : [brand.name, contact.email])
/** Returns the lines below the customer's name on an invoice: the email address, and the lines of `customerDetails` that do not repeat it. */
export const billToLines = (email: string, customerDetails: string): string[] => [
  email || 'No email provided',
  ...customerDetails.split('\n').filter((line) => line !== '' && line !== customerDetailsFor(email)),
]
/** Returns the text of `customerDetails` for an email address, which must already be validated. */
export const customerDetailsFor = (email: string): string => `Email: ${email}`
/** Returns the email address in the first line of `customerDetails`; undefined if there is none. */
export const emailIn = (customerDetails: string): string | undefined =>
  customerEmail.exec(customerDetails.split('\n', 1)[0] ?? '')?.[1]

type NoteReference = Pick<Invoice, 'invoiceNumber' | 'paymentReference'>
/** Returns the note that a customer enters in the payment app: the prefix, followed by the invoice's phrase or number. */
export const paymentNoteFor = (prefix: string, { invoiceNumber, paymentReference }: NoteReference): string =>
  prefix + (paymentReference ?? invoiceNumber)

/** How the note that a customer entered compares to the one requested. */
export const noteMatches = ['same', 'similar', 'different'] as const
export type NoteMatch = (typeof noteMatches)[number]

const normalizedNote = (note: string): string => note.toLowerCase().replace(/[^a-z0-9]/g, '')
/** Compares the entered note with the requested one: `similar` if it contains the invoice number or phrase in another spelling. Null for an empty note. */
export function compareNote(note: string | null, prefix: string, invoice: NoteReference): NoteMatch | null {
  if (!note) return null
  if (note === paymentNoteFor(prefix, invoice)) return 'same'
  const names = [invoice.invoiceNumber, ...(invoice.paymentReference ? [invoice.paymentReference] : [])]
  return names.some((name) => normalizedNote(note).includes(normalizedNote(name))) ? 'similar' : 'different'
}

/** Whether the customer still has to pay. False for a plan change that costs nothing: it only waits for an administrator. */
export const asksForPayment = (invoice: Pick<Invoice, 'status' | 'submittedAt' | 'amount'>): boolean =>
  awaitsPayment(invoice) && (invoice.status === 'draft' || invoice.amount > 0)

/** Returns the invoice number for its six characters, see `invoiceNumberPattern`. */
export const invoiceNumberOf = (characters: string): string => `ORD-${characters}`

/** Returns an order number: five random symbols and their check character. `random` must contain at least five bytes. */
export function orderIdFrom(random: Uint8Array): string {
  const five = Array.from(random.subarray(0, 5), (byte) => invoiceSymbols[byte % invoiceSymbols.length]).join('')
  return invoiceNumberOf(five + checkCharacterOf(five))
}

export type PaymentFields = { confirmationCode: string; paymentNote: string }
/** Returns the payment fields after a method is chosen: empty for a card; for a payment app the entered code and the note of the order. */
export const paymentFieldsFor = (method: PaymentMethod, fields: PaymentFields, orderNote: string): PaymentFields =>
  method === 'creditcard'
    ? { confirmationCode: '', paymentNote: '' }
    : { confirmationCode: fields.confirmationCode, paymentNote: orderNote }

export const methodNames: Record<PaymentMethod, string> = {
  cashapp: 'Cash App',
  venmo: 'Venmo',
  creditcard: 'Credit card',
}

/** Returns why the payment was rejected; null once the customer has submitted it again or the invoice is not pending. */
export const openRejectionReason = (
  invoice: Pick<Invoice, 'status' | 'submittedAt' | 'rejectionReason'>,
): string | null => (invoice.status === 'pending' && invoice.submittedAt === null ? invoice.rejectionReason : null)

/** Formats a waiting time for a table column: `5 min`, `3 h`, `2 days`. */
export function formatWait(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} days`
}

/** Returns the hours within which a submitted payment is to be reviewed. */
export const promisedHours = (
  method: PaymentMethod | null,
  { cardHours, verificationHours }: Pick<PaymentMethods, 'cardHours' | 'verificationHours'>,
): number => (method === 'creditcard' ? cardHours : verificationHours)

/** Returns the computed fields of the admin view of an invoice. `waitedMinutes` is null if no submitted payment is waiting. */
export function reviewInfo(row: Invoice & { waitedMinutes: number | null }, payments: PaymentMethods) {
  const hours = promisedHours(row.paymentMethod, payments)
  return {
    expectedNote: paymentNoteFor(payments.notePrefix, row),
    noteMatch: compareNote(row.paymentNote, payments.notePrefix, row),
    overdue: row.waitedMinutes !== null && row.waitedMinutes > hours * 60,
    promisedHours: hours,
  }
}

/** An invoice with the server's comparison of its code and note. */
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
  note_differs: 'Different note',
  no_link: 'No payment link sent',
  own_invoice: 'Your own invoice',
}
/** Returns the label of a review flag. The label of `similar_code` names the other invoice. */
export const reviewFlagLabel = (flag: ReviewFlag, invoice: Pick<ReviewedInvoice, 'similarCode'>): string =>
  flag === 'similar_code' ? `Code similar to ${invoice.similarCode}` : reviewFlagLabels[flag]

/** Whether another payment has the same or a similar code. If so, confirming this payment requires an acknowledgement. */
export const hasRepeatedCode = ({
  duplicateCode,
  similarCode,
}: Pick<ReviewedInvoice, 'duplicateCode' | 'similarCode'>): boolean => duplicateCode || similarCode !== null

/** Returns the flags that must be acknowledged before a payment is confirmed in bulk. */
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
  return found.filter(([, isSo]) => isSo).map(([flag]) => flag)
}

type Handles = Pick<PaymentMethods, 'cashtag' | 'venmoHandle'>
/** The payment app's recipient; null if the operator has not configured it. */
export const recipientOf = (method: 'cashapp' | 'venmo', { cashtag, venmoHandle }: Handles): string | null =>
  (method === 'cashapp' ? cashtag : venmoHandle) || null

/** The message for a payment app without a configured recipient. */
export const noRecipientText = (method: 'cashapp' | 'venmo'): string =>
  `Payment by ${methodNames[method]} is not set up yet. Please do not send money yet: contact us and we will tell you how to pay.`

/** The enabled payment methods in display order. */
export const offeredMethods = ({ offers }: Pick<PaymentMethods, 'offers'>): PaymentMethod[] =>
  (Object.keys(methodNames) as PaymentMethod[]).filter((method) => offers[method])

/** The enabled methods as text: `Cash App, Venmo or a credit card`. */
export function methodsText(payments: Pick<PaymentMethods, 'offers'>): string {
  const names = offeredMethods(payments).map((method) =>
    method === 'creditcard' ? 'a credit card' : methodNames[method],
  )
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? '')
}

/**
 * Returns a link to the payment app with the recipient, the amount and (Venmo only) the note filled in. Undefined for a card, without a recipient, or
 * if `cents` is not positive.
 */
export function payLink(method: PaymentMethod, to: Handles, cents: number, note: string): string | undefined {
  const recipient = method === 'creditcard' ? null : recipientOf(method, to)
  if (cents <= 0 || recipient === null) return undefined
  if (method === 'cashapp')
    return `https://cash.app/$${encodeURIComponent(recipient.replace(/^\$/, ''))}/${plainDollars(cents)}`
  const search = Object.entries({ txn: 'pay', audience: 'private', amount: plainDollars(cents), note })
  return `https://venmo.com/${encodeURIComponent(recipient.replace(/^@/, ''))}?${search.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`
}

/** Whether the customer can still apply or remove account credit. */
export const canUseCredit = ({
  invoice,
  lines,
  status,
  usableCredit,
}: Pick<InvoiceDetail, 'invoice' | 'lines' | 'status' | 'usableCredit'>): boolean =>
  usableCredit > 0 &&
  awaitsPayment({ ...invoice, status }) &&
  lines.reduce((due, line) => due + (line.kind === 'credit' ? 0 : line.amount), 0) > 0

/** Whether the invoice uses account credit. */
export const usesCredit = (detail: Pick<InvoiceDetail, 'lines'>): boolean =>
  detail.lines.some((line) => line.kind === 'credit')

/** The payment link of a card invoice if it is https; undefined otherwise, whatever is stored. */
export const securePaymentLink = (invoice: Pick<Invoice, 'paymentLink' | 'paymentMethod'>): string | undefined =>
  invoice.paymentMethod === 'creditcard' && invoice.paymentLink?.startsWith('https://')
    ? invoice.paymentLink
    : undefined

/** Whether an administrator has to send a payment link before the customer can pay a submitted card invoice. */
export const needsLink = (
  invoice: Pick<Invoice, 'status' | 'submittedAt' | 'amount' | 'paymentLink' | 'paymentMethod'>,
): boolean =>
  invoice.status === 'pending' &&
  invoice.submittedAt !== null &&
  invoice.amount > 0 &&
  invoice.paymentMethod === 'creditcard' &&
  securePaymentLink(invoice) === undefined

export const invoiceTabs = ['all', 'pending', 'paid', 'expired'] as const
export type InvoiceTab = (typeof invoiceTabs)[number]
export const defaultPlanName = 'IPTV Subscription'
export const defaultDescription = 'Service subscription'

/** Returns the invoices whose number, status or plan name contains `search`, ignoring case. */
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

/** Whether the invoice is for a plan change, which is recognized by the prefix of its description. */
export const isPlanChange = (invoice: Pick<Invoice, 'description'>): boolean =>
  invoice.description.startsWith('Subscription change')
