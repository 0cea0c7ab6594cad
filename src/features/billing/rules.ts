import type { PlanChange } from '#features/subscriptions/rules.ts'
import { formatCents } from '#kit/money.ts'
import type { Invoice, InvoiceDetail, InvoiceStatus, PaymentMethod } from './contract.ts'

/** What an administrator may do with an invoice; server and dialog ask the same table. `expired` is written by time alone. */
const allowedMoves: Record<InvoiceStatus, InvoiceStatus[]> = {
  draft: ['pending', 'paid', 'cancelled'],
  pending: ['paid', 'cancelled'],
  expired: ['pending', 'paid', 'cancelled'],
  paid: ['pending', 'cancelled'],
  cancelled: ['pending', 'paid'],
}
export const canMove = (from: InvoiceStatus, to: InvoiceStatus): boolean => allowedMoves[from].includes(to)

/** Draft and pending invoices past their date are expired for the customer, whether or not the job has written it yet. */
export const statusAt = (invoice: Pick<Invoice, 'status' | 'expiresAt'>, now: Date): InvoiceStatus =>
  (invoice.status === 'draft' || invoice.status === 'pending') && new Date(invoice.expiresAt) <= now ? 'expired' : invoice.status

/** Draft, or pending without a submitted payment (a plan change, a reopened invoice): the customer may still say how it was paid. */
export const awaitsPayment = (invoice: Pick<Invoice, 'status' | 'submittedAt'>): boolean =>
  invoice.status === 'draft' || (invoice.status === 'pending' && invoice.submittedAt === null)

const customerEmail = /^Email: (\S+)$/
/** `customerDetails` as the specification fixes it; built only from a validated address. */
export const customerDetailsFor = (email: string): string => `Email: ${email}`
/** The address in `customerDetails`, read from its first line only. */
export const emailIn = (customerDetails: string): string | undefined => customerEmail.exec(customerDetails.split('\n', 1)[0] ?? '')?.[1]

/** The note a customer types into the payment app. */
export const paymentNoteFor = (prefix: string, invoiceNumber: string): string => prefix + invoiceNumber

/** Nothing is left to say or to pay: a plan change that costs nothing only waits for an administrator. */
export const asksForPayment = (invoice: Pick<Invoice, 'status' | 'submittedAt' | 'amount'>): boolean =>
  awaitsPayment(invoice) && (invoice.status === 'draft' || invoice.amount > 0)

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** An order ID to show before the server has drawn the invoice's own number, from at least six random bytes. A name, never a key. */
export const orderIdFrom = (random: Uint8Array): string => `ORD-${Array.from(random.subarray(0, 6), (byte) => letters[byte % letters.length]).join('')}`

export type PaymentWords = { confirmationCode: string; paymentNote: string }
/** What choosing a method does to code and note (specification 4): a card needs neither, the payment apps are given the order's note. */
export const wordsFor = (method: PaymentMethod, words: PaymentWords, orderNote: string): PaymentWords =>
  method === 'creditcard' ? { confirmationCode: '', paymentNote: '' } : { confirmationCode: words.confirmationCode, paymentNote: orderNote }

export const methodNames: Record<PaymentMethod, string> = { cashapp: 'Cash App', venmo: 'Venmo', creditcard: 'Credit card' }

/** Cents as a payment app's amount field takes them: `31.49`, no sign, no thousands. */
export const plainAmount = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** The payment app's own page with recipient and amount filled in; undefined for a card and when nothing is owed. */
export function payLink(method: PaymentMethod, to: { cashtag: string; venmoHandle: string }, cents: number, note: string): string | undefined {
  if (cents <= 0 || method === 'creditcard') return undefined
  if (method === 'cashapp') return `https://cash.app/$${encodeURIComponent(to.cashtag.replace(/^\$/, ''))}/${plainAmount(cents)}`
  const search = Object.entries({ txn: 'pay', audience: 'private', amount: plainAmount(cents), note })
  return `https://venmo.com/${encodeURIComponent(to.venmoHandle.replace(/^@/, ''))}?${search.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`
}

/** Whether the customer may still put account credit on it, or take it off. */
export const canUseCredit = ({ invoice, lines, status, usableCredit }: Pick<InvoiceDetail, 'invoice' | 'lines' | 'status' | 'usableCredit'>): boolean =>
  usableCredit > 0 && awaitsPayment({ ...invoice, status }) && lines.reduce((due, line) => due + (line.kind === 'credit' ? 0 : line.amount), 0) > 0

/** Whether account credit is among the lines. */
export const usesCredit = (detail: Pick<InvoiceDetail, 'lines'>): boolean => detail.lines.some((line) => line.kind === 'credit')

/** A payment link as it may stand in an address: https only, whatever was stored. */
export const securePaymentLink = (invoice: Pick<Invoice, 'paymentLink' | 'paymentMethod'>): string | undefined =>
  invoice.paymentMethod === 'creditcard' && invoice.paymentLink?.startsWith('https://') ? invoice.paymentLink : undefined

export const invoiceTabs = ['all', 'pending', 'paid', 'expired'] as const
export type InvoiceTab = (typeof invoiceTabs)[number]
export const defaultPlanName = 'IPTV Subscription'
export const defaultDescription = 'Service subscription'

/** The invoices whose number, status or plan name holds `search`, in any case. */
export function searchInvoices<I extends Pick<Invoice, 'invoiceNumber' | 'status' | 'planName'>>(invoices: I[], search: string): I[] {
  const term = search.trim().toLowerCase()
  return invoices.filter((i) => [i.invoiceNumber, i.status, i.planName || defaultPlanName].some((text) => text.toLowerCase().includes(term)))
}

export const invoicesUnder = <I extends Pick<Invoice, 'status'>>(tab: InvoiceTab, invoices: I[]): I[] =>
  tab === 'all' ? invoices : invoices.filter((invoice) => invoice.status === tab)

type NamedPlan = { name: string; price: number }
/** The prefix is the specification's: pages know a change of plan by it. */
export const changeDescription = (from: NamedPlan, to: NamedPlan): string => `Subscription change: ${from.name} to ${to.name}`
export const isPlanChange = (invoice: Pick<Invoice, 'description'>): boolean => invoice.description.startsWith('Subscription change')

/** The pro-rata sum in one plain sentence. */
export function explainChange(from: NamedPlan, to: NamedPlan, change: PlanChange): string {
  const days = `${change.leftDays} of ${change.periodDays} days`
  const result =
    change.credit > 0 ? `${formatCents(change.credit)} becomes account credit when an administrator approves` : `you pay ${formatCents(change.charge)}`
  if (change.keepsPeriod) return `Your end date stays: the price difference of ${formatCents(to.price - from.price)} for the remaining ${days}, so ${result}.`
  return `A new period starts when it is paid: ${formatCents(to.price)} less ${formatCents(change.unused)} for the unused ${days} of ${from.name}, so ${result}.`
}

type ChangeLine = { kind: 'plan' | 'plan_change'; description: string; amount: number }
/** The rows of a plan change's invoice; they add up to what is charged. */
export function changeLines(from: NamedPlan, to: NamedPlan, change: PlanChange): ChangeLine[] {
  const days = `${change.leftDays} of ${change.periodDays} days`
  const rows: ChangeLine[] = change.keepsPeriod
    ? [{ kind: 'plan_change', description: `${from.name} to ${to.name}, ${days}`, amount: change.charge - change.credit }]
    : [
        { kind: 'plan', description: to.name, amount: to.price },
        { kind: 'plan_change', description: `Unused part of ${from.name}, ${days}`, amount: -change.unused },
      ]
  return change.credit > 0 ? [...rows, { kind: 'plan_change', description: 'Becomes account credit when approved', amount: change.credit }] : rows
}
