import { formatCents } from '#kit/money.ts'

export const rails = [
  'cashapp',
  'venmo',
  'zelle',
  'paypal',
  'chime',
  'wise',
  'bank',
  'card',
  'crypto',
  'cash',
  'other',
] as const
export type Rail = (typeof rails)[number]
export const railNames: Record<Rail, string> = {
  cashapp: 'Cash App',
  venmo: 'Venmo',
  zelle: 'Zelle',
  paypal: 'PayPal',
  chime: 'Chime',
  wise: 'Wise',
  bank: 'Bank transfer',
  card: 'Card',
  crypto: 'Crypto',
  cash: 'Cash',
  other: 'Other',
}
/** How a payment relates to the invoice that it is proposed for. */
export const caseKinds = [
  'exact',
  'join',
  'linked',
  'part',
  'over',
  'late',
  'double',
  'split',
  'likely',
  'unknown',
  'reversal',
] as const
export type CaseKind = (typeof caseKinds)[number]
export const deskTabs = ['waiting', 'held', 'set_aside', 'refunds', 'done'] as const
export type DeskTab = (typeof deskTabs)[number]
export const paymentActions = [
  'confirm',
  'link',
  'hold',
  'credit',
  'refund',
  'not_ours',
  'take_back',
  'bear',
  'set_aside',
  'reopen',
] as const
export type PaymentAction = (typeof paymentActions)[number]
/** What a decision does, as used in texts such as "Payment 12 of $30.00: confirm an order". */
export const decisionWords: Record<PaymentAction, string> = {
  confirm: 'confirm an order',
  link: 'link to a paid invoice',
  hold: 'hold for an order',
  credit: 'add to the account credit',
  refund: 'send back',
  not_ours: 'mark as not ours',
  take_back: 'take back',
  bear: 'absorb the loss',
  set_aside: 'set aside',
  reopen: 'put back',
}
export const allocationTargets = [
  'invoice',
  'hold',
  'credit',
  'refund_due',
  'refund_sent',
  'not_ours',
  'taken_back',
  'borne',
] as const
type AllocationTarget = (typeof allocationTargets)[number]
export const evidenceStates = ['same', 'different', 'conflict', 'unknown'] as const

/** The number of days by which the deadline of an invoice is extended when a part payment for it is held. */
export const extensionDays = 3

/** Returns the decisions that fit a case, the suggested one first. `open` and `due` are in cents. `isTooLate`: a late payment can no longer be confirmed. */
export function actionsFor(kind: CaseKind, open: number, due: number, isTooLate: boolean): PaymentAction[] {
  switch (kind) {
    case 'exact':
    case 'join':
    case 'over':
    case 'split':
    case 'likely':
      return open < due ? ['hold', 'credit', 'refund'] : ['confirm', 'credit', 'refund']
    case 'linked':
      return ['link', 'credit', 'refund']
    case 'part':
      return ['hold', 'credit', 'refund']
    case 'late':
      return open >= due && !isTooLate ? ['confirm', 'credit', 'refund'] : ['credit', 'refund']
    case 'double':
      return ['credit', 'refund']
    case 'unknown':
      return ['set_aside', 'not_ours', 'refund']
    case 'reversal':
      return []
  }
}

/** Returns the label of a case in lists. `difference` is the payment minus what is due, in cents. */
export function kindLabel({ kind, difference }: { kind: CaseKind; difference: number | null }): string {
  switch (kind) {
    case 'exact':
      return 'Exact match'
    case 'join':
      return 'Completes a part payment'
    case 'linked':
      return 'Already confirmed'
    case 'part':
      return difference === null ? 'Partial' : `Partial, ${formatCents(-difference)} short`
    case 'over':
      return difference === null ? 'Over' : `Over by ${formatCents(difference)}`
    case 'late':
      return 'Late'
    case 'double':
      return 'Duplicate'
    case 'split':
      return 'Several invoices'
    case 'likely':
      return 'Likely'
    case 'unknown':
      return 'Unknown sender'
    case 'reversal':
      return 'Taken back'
  }
}

/** The currency code of a payment whose source names no currency. */
export const noCurrency = 'ZZZ'
/** Formats an amount with its currency. `cents` are hundredths of the currency. */
export function moneyText(cents: number, currency: string): string {
  if (currency === 'USD') return formatCents(cents)
  const amount = formatCents(cents).replace('$', '')
  return currency === noCurrency ? `${amount} in an unknown currency` : `${currency} ${amount}`
}

/** Formats the amount of a payment. It is negative for a reversal. */
export const amountText = (row: { amount: number; currency: string; kind: CaseKind }): string =>
  `${row.kind === 'reversal' ? '-' : ''}${moneyText(row.amount, row.currency)}`

/** Formats sums of several currencies: `$30.00 and EUR 20.00`. Returns `$0.00` if there are none. */
export function sumsText(sums: readonly { currency: string; cents: number }[]): string {
  const texts = sums.map(({ cents, currency }) => moneyText(cents, currency))
  return [texts.slice(0, -1).join(', '), texts.at(-1)].filter(Boolean).join(' and ') || formatCents(0)
}

type Sums = { sums: readonly { currency: string; cents: number }[] }
/** Adds up the sums of several groups of payments by currency. US dollars are first. */
export function addedSums(...groups: Sums[]): { currency: string; cents: number }[] {
  const added = new Map<string, number>()
  for (const { sums } of groups)
    for (const { currency, cents } of sums) added.set(currency, (added.get(currency) ?? 0) + cents)
  return [...added]
    .map(([currency, cents]) => ({ currency, cents }))
    .sort((one, other) => Number(one.currency !== 'USD') - Number(other.currency !== 'USD'))
}

/** Whether an allocation is money that left the account: it was sent back, or the provider took it back. */
const isGone = (target: AllocationTarget): boolean => target === 'refund_sent' || target === 'taken_back'
/** Returns the allocations of a payment whose money has not left the account. */
export const remainingAllocations = <Row extends { target: AllocationTarget }>(rows: readonly Row[]): Row[] =>
  rows.filter(({ target }) => !isGone(target))
/** Returns how many cents of a payment are still in the account. `openCents` are those that are not decided yet. */
export const centsLeft = (openCents: number, rows: readonly { target: AllocationTarget; amount: number }[]): number =>
  remainingAllocations(rows).reduce((sum, { amount }) => sum + amount, openCents)

/**
 * Returns the allocations from which `cents` of a payment are taken back: all of them if that is everything that is left, none if the open part suffices,
 * otherwise the only allocation of exactly this amount. Credit and holds take precedence over invoices. Undefined if no single allocation fits.
 */
export function takenFrom<Row extends { target: AllocationTarget; amount: number }>(
  cents: number,
  openCents: number,
  rows: readonly Row[],
): Row[] | undefined {
  const here = remainingAllocations(rows)
  if (cents === centsLeft(openCents, rows)) return here
  if (cents <= openCents) return []
  const fitting = here.filter(({ amount }) => amount === cents)
  const [first, ...others] = fitting.filter(({ target }) => target !== 'invoice')
  const found = first ? [first, ...others] : fitting
  return found.length === 1 ? found : undefined
}

/** Whether a decision is possible for an incoming payment, or for a reversal if `isReversal` is true. */
export const fitsDirection = (action: PaymentAction, isReversal: boolean): boolean =>
  isReversal
    ? ['take_back', 'bear', 'not_ours', 'set_aside', 'reopen'].includes(action)
    : action !== 'take_back' && action !== 'bear'

const needsDollars: readonly PaymentAction[] = ['confirm', 'link', 'hold', 'credit']
/** Returns why a decision is not possible for a payment in this currency, or null if it is possible. */
export const currencyProblem = (action: PaymentAction, currency: string): string | null =>
  currency === 'USD' || !needsDollars.includes(action)
    ? null
    : 'Orders are in US dollars, but this payment is not. Send it back, set it aside, or mark it as not ours and record the amount in dollars.'
