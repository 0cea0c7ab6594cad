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

/** The status at a moment: draft and pending invoices past `expiresAt` count as expired even before the job has updated the row. */
export const statusAt = (invoice: Pick<Invoice, 'status' | 'expiresAt'>, now: Date): InvoiceStatus =>
  (invoice.status === 'draft' || invoice.status === 'pending') && new Date(invoice.expiresAt) <= now
    ? 'expired'
    : invoice.status

/** Whether the customer can submit a payment: the invoice is a draft, or pending without a submission (a plan change, a reopened invoice). */
export const awaitsPayment = (invoice: Pick<Invoice, 'status' | 'submittedAt'>): boolean =>
  invoice.status === 'draft' || (invoice.status === 'pending' && invoice.submittedAt === null)

const customerEmail = /^Email: (\S+)$/
/** The seller on invoices: the lines of the settings, or the name of the brand and the contact address. */
export const sellerLines = (
  { billFrom }: Pick<PaymentMethods, 'billFrom'>,
  { brand, contact }: { brand: { name: string }; contact: { email: string } },
): string[] => (billFrom.length > 0 ? billFrom : [brand.name, contact.email])
/** The lines below the name of the customer on an invoice: the address, and the details unless they repeat that address. */
export const billToLines = (email: string, customerDetails: string): string[] => [
  email || 'No email provided',
  ...customerDetails.split('\n').filter((line) => line !== '' && line !== customerDetailsFor(email)),
]
/** The text of `customerDetails`. `email` must be validated. */
export const customerDetailsFor = (email: string): string => `Email: ${email}`
/** The email address in the first line of `customerDetails`. */
export const emailIn = (customerDetails: string): string | undefined =>
  customerEmail.exec(customerDetails.split('\n', 1)[0] ?? '')?.[1]

type NoteReference = Pick<Invoice, 'invoiceNumber' | 'paymentReference'>
/** The note a customer enters in the payment app: the prefix, followed by the invoice's phrase or number. */
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

/** An invoice number from its six characters, see `invoiceNumberPattern`. */
export const invoiceNumberOf = (characters: string): string => `ORD-${characters}`

/** An order number: five symbols and their check character. `random` holds at least five bytes. */
export function orderIdFrom(random: Uint8Array): string {
  const five = Array.from(random.subarray(0, 5), (byte) => invoiceSymbols[byte % invoiceSymbols.length]).join('')
  return invoiceNumberOf(five + checkCharacterOf(five))
}

export type PaymentFields = { confirmationCode: string; paymentNote: string }
/** The payment fields after a method is chosen: a card clears both, a payment app sets the order's note. */
export const paymentFieldsFor = (method: PaymentMethod, fields: PaymentFields, orderNote: string): PaymentFields =>
  method === 'creditcard'
    ? { confirmationCode: '', paymentNote: '' }
    : { confirmationCode: fields.confirmationCode, paymentNote: orderNote }

export const methodNames: Record<PaymentMethod, string> = {
  cashapp: 'Cash App',
  venmo: 'Venmo',
  creditcard: 'Credit card',
}

/** The reason for rejecting the payment, while the customer has not submitted it again. */
export const openRejectionReason = (
  invoice: Pick<Invoice, 'status' | 'submittedAt' | 'rejectionReason'>,
): string | null => (invoice.status === 'pending' && invoice.submittedAt === null ? invoice.rejectionReason : null)

/** A waiting time for a table column: `5 min`, `3 h`, `2 days`. */
export function formatWait(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} days`
}

/** The hours within which a submitted payment is to be reviewed. */
export const promisedHours = (
  method: PaymentMethod | null,
  { cardHours, verificationHours }: Pick<PaymentMethods, 'cardHours' | 'verificationHours'>,
): number => (method === 'creditcard' ? cardHours : verificationHours)

/** The computed fields of the admin view. `waitedMinutes` is null if no submitted payment is waiting. */
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
  note_differs: 'Different note',
  no_link: 'No payment link sent',
  own_invoice: 'Your own invoice',
}
/** The label of a review flag; `similar_code` names the other invoice. */
export const reviewFlagLabel = (flag: ReviewFlag, invoice: Pick<ReviewedInvoice, 'similarCode'>): string =>
  flag === 'similar_code' ? `Code similar to ${invoice.similarCode}` : reviewFlagLabels[flag]

/** Whether the code equals or resembles the code of another payment: confirming it requires an acknowledgement. */
export const hasRepeatedCode = ({
  duplicateCode,
  similarCode,
}: Pick<ReviewedInvoice, 'duplicateCode' | 'similarCode'>): boolean => duplicateCode || similarCode !== null

/** The flags that must be acknowledged before a payment is confirmed in bulk. */
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

/** A link to the payment app with recipient, amount and note filled in. Undefined for a card, without a recipient, or if `cents` is not positive. */
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

/** Whether account credit is among the items. */
export const usesCredit = (detail: Pick<InvoiceDetail, 'lines'>): boolean =>
  detail.lines.some((line) => line.kind === 'credit')

/** The payment link of a card invoice if it is https; undefined otherwise, whatever is stored. */
export const securePaymentLink = (invoice: Pick<Invoice, 'paymentLink' | 'paymentMethod'>): string | undefined =>
  invoice.paymentMethod === 'creditcard' && invoice.paymentLink?.startsWith('https://')
    ? invoice.paymentLink
    : undefined

/** Whether an administrator has to send the payment link of a submitted card invoice before it can be paid. */
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

/** The invoices whose number, status or plan name contains `search`, ignoring case. */
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

/** Plan changes are recognized by the prefix of their description. */
export const isPlanChange = (invoice: Pick<Invoice, 'description'>): boolean =>
  invoice.description.startsWith('Subscription change')
