/** The statuses of an earlier invoice. The words of the other system are mapped to them. */
export const earlierStatuses = ['paid', 'unpaid', 'cancelled', 'refunded'] as const
export type EarlierStatus = (typeof earlierStatuses)[number]
export const earlierStatusNames: Record<EarlierStatus, string> = {
  paid: 'Paid',
  unpaid: 'Unpaid',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
}

/** The words that other systems use for each status, normalized by `headingOf`. */
const statusWords: Record<EarlierStatus, readonly string[]> = {
  paid: ['paid', 'complete', 'completed', 'success', 'settled'],
  unpaid: ['unpaid', 'pending', 'open', 'due', 'overdue', 'payment pending', 'collections', 'sent'],
  cancelled: ['cancelled', 'canceled', 'void', 'voided', 'expired'],
  refunded: ['refunded', 'refund'],
}
/** Returns the status that a word in lower case means; null for an unknown word. */
export const earlierStatusOf = (word: string): EarlierStatus | null =>
  earlierStatuses.find((status) => statusWords[status].includes(word)) ?? null

/** The invoice fields that a column can be assigned to. `suggests` matches headings of WHMCS and of common tables. */
export const invoiceFields = [
  {
    field: 'email',
    label: 'Email address of the customer',
    optional: true,
    suggests: /^((client|customer) )?(e ?mail|email address|mail)$/,
  },
  {
    field: 'otherId',
    label: 'Customer ID in the other system',
    optional: true,
    suggests: /^(client|customer|user) ?id$/,
  },
  { field: 'number', label: 'Invoice number', optional: false, suggests: /^(invoice ?)?(number|num|no|nr)$|^invoice$/ },
  {
    field: 'invoiceId',
    label: 'Invoice ID, used if the number is empty',
    optional: true,
    suggests: /^(invoice ?)?id$/,
  },
  {
    field: 'issuedOn',
    label: 'Date',
    optional: false,
    suggests: /^((invoice|creation|issue|created|issued) )?date( (created|issued))?$|^(issued|created)( (at|on))?$/,
  },
  {
    field: 'amount',
    label: 'Amount',
    optional: false,
    suggests: /^((invoice|grand) )?total( amount)?$|^(invoice )?amount$/,
  },
  { field: 'currency', label: 'Currency', optional: true, suggests: /^currency( code)?$/ },
  { field: 'status', label: 'Status', optional: false, suggests: /^(invoice |payment )?(status|state)$/ },
  {
    field: 'description',
    label: 'Description',
    optional: true,
    suggests: /^(item )?descriptions?$|^items?$|^(plan|package|product)( name)?$|^subject$/,
  },
] as const
export type InvoiceField = (typeof invoiceFields)[number]['field']

/** Why a row of an invoice file is refused. */
export const invoiceRefusals = {
  columns: 'The row is empty',
  invoice_text: 'The row contains control characters',
  customer_missing: 'There is neither an email address nor a customer ID',
  customer_unknown: 'No customer here has this email address or ID',
  customer_ambiguous: 'Several customers were imported with this ID',
  number_missing: 'There is no invoice number',
  number_too_long: 'The invoice number has more than 64 characters',
  number_repeated: 'An earlier row has this invoice number',
  date: 'The date cannot be read',
  date_range: 'The date is before 2000 or in the future',
  amount: 'The amount cannot be read',
  amount_negative: 'The amount is negative',
  amount_too_high: 'The amount is above $100,000.00',
  currency: 'The amount is not in US dollars',
  status: 'The status is unknown',
  status_draft: 'The invoice is a draft, which was never issued',
  description: 'The description has more than 500 characters',
} as const
export type InvoiceRefusal = keyof typeof invoiceRefusals

export const invoiceReasons: Record<string, string> = {
  ...invoiceRefusals,
  invoice_exists: 'The customer already has an invoice with this number',
}
