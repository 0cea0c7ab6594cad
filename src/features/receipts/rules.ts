/** What the preview says about a row of a statement. `exact` and `check` are new payments. */
export const verdicts = ['exact', 'check', 'known', 'skipped', 'unreadable'] as const
export type Verdict = (typeof verdicts)[number]

/** Why a row is not a payment, or cannot be read. */
export const rowReasons = {
  outgoing: 'Money that went out',
  pending: 'Not completed yet',
  request: 'A request that is not paid yet',
  payout: 'A payout from a payment service, whose payments are recorded separately',
  not_completed: 'Failed, canceled or returned',
  reversed_debit: 'A payment of yours that was returned',
  not_money_in: 'Not an incoming payment',
  other_currency: 'Not in US dollars',
  private: 'Nothing to do with an order, so it is not recorded',
  repeated: 'The same transaction number as an earlier row',
  amount: 'The amount cannot be read',
  date: 'The date cannot be read',
  currency: 'The currency cannot be read',
  columns: 'The number of columns is wrong',
  quotes: 'The quotation marks are wrong',
  too_long: 'A field is too long',
  structure: 'The row has an unknown format',
  future: 'The date is in the future. Is the order of day and month right?',
  too_much: 'The amount is above $1,000,000.00',
} as const
export type RowReason = keyof typeof rowReasons

export const formatNames: Record<string, string> = {
  'csv:cashapp': 'Cash App statement',
  'csv:venmo': 'Venmo statement',
  'csv:paypal': 'PayPal activity',
  'csv:chase': 'Chase statement',
  'csv:bofa': 'Bank of America statement',
  'csv:wellsfargo': 'Wells Fargo statement',
  'csv:mapped': 'Table with your columns',
  ofx: 'OFX statement',
  'camt.053': 'CAMT.053 statement',
  mt940: 'MT940 statement',
}

export const maxStatementBytes = 5_000_000
