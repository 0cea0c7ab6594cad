import { invoiceReasons } from './invoice-rules.ts'

/** What the rows of a file describe. */
export const importKinds = ['customers', 'invoices'] as const
export type ImportKind = (typeof importKinds)[number]

export const runStates = ['checked', 'applying', 'applied', 'undoing', 'undone'] as const
export type RunState = (typeof runStates)[number]

/** The outcome of a row: the first three before it is applied, the others afterwards. */
export const verdicts = ['create', 'exists', 'refused', 'created', 'undone', 'kept'] as const
export type Verdict = (typeof verdicts)[number]
export const verdictNames: Record<Verdict, string> = {
  create: 'Will be created',
  exists: 'Already here',
  refused: 'Refused',
  created: 'Created',
  undone: 'Removed',
  kept: 'Kept',
}

/** The fields of a customer that a column can be assigned to. `lastName` is for files with first and last name in separate columns. */
export const columnFields = [
  { field: 'email', label: 'Email address', suggests: /^(e ?mail|email address|mail)$/ },
  { field: 'username', label: 'Username', suggests: /^(user ?name|user|login|account)$/ },
  {
    field: 'fullName',
    label: 'Full name or first name',
    suggests: /^(full ?name|name|first ?name|client name|customer)$/,
  },
  { field: 'lastName', label: 'Last name', suggests: /^(last ?name|surname)$/ },
  { field: 'passwordHash', label: 'Password hash', suggests: /^(password( hash)?|hash)$/ },
  { field: 'credit', label: 'Account credit', suggests: /^(account )?(credit|balance)( balance)?$/ },
  { field: 'plan', label: 'Plan name', suggests: /^(plan|package|product)( name)?$/ },
  { field: 'months', label: 'Months of the plan', suggests: /^(months|period|billing (months|cycle))$/ },
  { field: 'connections', label: 'Connections', suggests: /^(max )?connections$/ },
  {
    field: 'paidUntil',
    label: 'Paid until',
    suggests: /^(paid until|next due date|expires( at)?|expiry( date)?|exp date|end date|expiration( date)?)$/,
  },
  { field: 'lineUsername', label: 'Line username', suggests: /^(line|iptv) (user ?name|login)$/ },
  { field: 'linePassword', label: 'Line password', suggests: /^(line|iptv) password$/ },
  { field: 'otherId', label: 'Customer ID in the other system', suggests: /^((client|customer|user) ?)?id$/ },
] as const
export type ColumnField = (typeof columnFields)[number]['field']

/** Why a row of a customer file is refused. */
export const refusals = {
  columns: 'The row is empty',
  email_missing: 'There is no email address',
  email: 'The email address is not valid',
  username: 'A username has 3 to 32 letters, digits, dots, dashes and underscores',
  username_reserved: 'This username is reserved',
  username_taken: 'This username belongs to another account',
  email_repeated: 'An earlier row has this email address',
  username_repeated: 'An earlier row has this username',
  line_repeated: 'An earlier row has this line',
  line_taken: 'This line belongs to another customer',
  line_incomplete: 'A line needs its username and its password',
  line_without_time: 'There is a line but no paid-until date',
  line_too_long: 'The username or the password of the line is too long',
  full_name: 'The name has more than 100 characters',
  text: 'The row contains control characters',
  password_hash: 'The password is not a bcrypt or Argon2 hash with a supported cost',
  credit: 'The account credit cannot be read',
  credit_negative: 'The account credit is negative',
  credit_too_high: 'The account credit is above $100,000.00',
  paid_until: 'The date cannot be read',
  paid_until_range: 'The date is before 2000 or more than 20 years ahead',
  paid_until_missing: 'There is a plan but no paid-until date',
  plan_missing: 'There is a date but no plan',
  plan_unknown: 'There is no such plan',
  plan_ambiguous: 'Several plans match. Please add the months and the connections.',
  other_id: 'The customer ID has more than 64 characters',
} as const
export type RefusalReason = keyof typeof refusals

/** Why an imported account can no longer be removed: how it was used. */
export const accountUses = {
  login: 'the customer logged in',
  invoice: 'there is an invoice',
  credit: 'the credit changed',
  subscription: 'the subscription changed',
  line: 'the IPTV line changed',
  request: 'there is a trial request or a report',
  referral: 'the account takes part in a referral',
  payment: 'there is a payment',
  role: 'the role changed',
  edited: 'the account was edited',
} as const
export type AccountUse = keyof typeof accountUses

const otherReasons: Record<string, string> = {
  exists: 'An account has this email address',
  undone: 'The import was undone before this row',
}
/** Returns the text for the reason of a row; empty without a reason. */
export function reasonText(reason: string | null): string {
  if (reason === null) return ''
  const texts: Record<string, string> = { ...refusals, ...invoiceReasons, ...otherReasons, ...accountUses }
  return texts[reason] ?? reason
}

export const maxImportBytes = 24_000_000
