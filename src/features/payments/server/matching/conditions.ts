import { formatCents } from '#kit/money.ts'
import { dueOf, isOpen, type References } from './references.ts'
import type {
  ConditionCode,
  ConfirmedToday,
  CustomerCandidate,
  Evidence,
  InvoiceCandidate,
  MatchSettings,
  PayerHistory,
  PaymentFacts,
  UnmetCondition,
} from './types.ts'

export type ConditionContext = {
  facts: PaymentFacts
  evidence: Evidence
  settings: MatchSettings
  references: References
  /** The invoices of the first choice; empty if none was found. */
  invoices: InvoiceCandidate[]
  customers: ReadonlyMap<number, CustomerCandidate>
  history: PayerHistory[]
  byCode: InvoiceCandidate[]
  today: ConfirmedToday
}

type Condition = {
  code: ConditionCode
  /** What the condition is about. Conditions about an invoice do not apply to reversals. */
  about: 'source' | 'invoice'
  isBroken: (context: ConditionContext) => boolean
  sentence: (context: ConditionContext) => string
}

const maximumAgeMs = 72 * 60 * 60 * 1000
const dueTogether = ({ invoices }: ConditionContext) => invoices.reduce((sum, invoice) => sum + dueOf(invoice), 0)

/** Compares the amount with the sum of the invoices if the note names several of them, otherwise with each invoice. */
function amountDiffers(context: ConditionContext): boolean {
  const { facts, invoices, references } = context
  if (references.named.length > 1 && invoices.length > 1) return dueTogether(context) !== facts.amount
  return invoices.length > 0 && invoices.every((invoice) => dueOf(invoice) !== facts.amount)
}

function hasPayerConflict({ history, invoices }: ConditionContext): boolean {
  const isKnown = (invoice: InvoiceCandidate) => history.some(({ customerId }) => customerId === invoice.customerId)
  return history.length > 0 && (wasTakenBack(history) || !invoices.every(isKnown))
}
const wasTakenBack = (history: PayerHistory[]) => history.some(({ isTakenBack }) => isTakenBack)

function isOwnInvoice({ invoices, customers }: ConditionContext): boolean {
  return invoices.some(({ customerId }) => {
    const customer = customers.get(customerId)
    return customer?.isAdmin || customer?.referrerMayNotApprove
  })
}

function isOverDailyLimit({ facts, settings, today }: ConditionContext): boolean {
  return (
    today.count >= settings.perDay ||
    today.cents + facts.amount > settings.perDayCents ||
    today.ofPayer >= settings.perPayerDay ||
    today.ofCustomer >= settings.perCustomerDay
  )
}

/** The conditions of automatic confirmation, in the order in which they are shown. */
export const conditions: readonly Condition[] = [
  {
    code: 'not_proven',
    about: 'source',
    isBroken: ({ evidence }) => evidence.auth !== 'proven',
    sentence: () => 'The source is not proven by a signature that we verified.',
  },
  {
    code: 'other_recipient',
    about: 'source',
    isBroken: ({ evidence }) => !evidence.recipientIsOurs,
    sentence: () => 'The message does not say that one of our accounts was paid.',
  },
  {
    code: 'template_unknown',
    about: 'source',
    isBroken: ({ evidence }) => !evidence.templateKnown,
    sentence: () => 'The layout of the message is not known.',
  },
  {
    code: 'reversal',
    about: 'source',
    isBroken: ({ facts }) => facts.direction !== 'in',
    sentence: () => 'This takes money back.',
  },
  {
    code: 'not_final',
    about: 'source',
    isBroken: ({ facts }) => !facts.final,
    sentence: () => 'The payment is still pending.',
  },
  {
    code: 'currency',
    about: 'source',
    isBroken: ({ facts, settings }) => facts.currency !== settings.currency,
    sentence: ({ facts, settings }) => `The payment is in ${facts.currency}, orders are in ${settings.currency}.`,
  },
  {
    code: 'reference_missing',
    about: 'invoice',
    isBroken: ({ references }) => references.status === 'missing',
    sentence: () => 'The note names no order.',
  },
  {
    code: 'reference_corrected',
    about: 'invoice',
    isBroken: ({ references }) => references.status === 'corrected',
    sentence: () => 'The order number in the note has a typo.',
  },
  {
    code: 'reference_ambiguous',
    about: 'invoice',
    isBroken: ({ references }) => references.status === 'ambiguous',
    sentence: () => 'The note names more than one order.',
  },
  {
    code: 'reference_reused',
    about: 'invoice',
    isBroken: ({ references }) => references.named.some(({ by }) => by === 'reused'),
    sentence: () => 'Another order had this phrase within 90 days.',
  },
  {
    code: 'amount_differs',
    about: 'invoice',
    isBroken: amountDiffers,
    sentence: (context) => `${formatCents(context.facts.amount)} arrived, ${formatCents(dueTogether(context))} is due.`,
  },
  {
    code: 'invoice_not_open',
    about: 'invoice',
    isBroken: ({ invoices, settings }) =>
      invoices.some((invoice) => !isOpen(invoice, settings.now) || invoice.outdated),
    sentence: () => 'The order is not open.',
  },
  {
    code: 'payer_conflict',
    about: 'invoice',
    isBroken: hasPayerConflict,
    sentence: ({ history }) =>
      wasTakenBack(history)
        ? 'Money that this payer sent was taken back before.'
        : 'This payer paid for other customers only.',
  },
  {
    code: 'code_twice',
    about: 'invoice',
    isBroken: ({ byCode, invoices }) => byCode.some(({ id }) => !invoices.some((invoice) => invoice.id === id)),
    sentence: () => 'The transaction number was submitted for another order.',
  },
  {
    code: 'own_invoice',
    about: 'invoice',
    isBroken: isOwnInvoice,
    sentence: () => 'The order belongs to an administrator, or an administrator referred the customer.',
  },
  {
    code: 'rail_off',
    about: 'source',
    // This condition only concerns payments from emails and events. Other payments are never confirmed automatically.
    isBroken: ({ facts, evidence, settings }) => evidence.auth !== 'stated' && !settings.rails.includes(facts.rail),
    sentence: () => 'Automatic confirmation is off for this kind of payment.',
  },
  {
    code: 'over_limit',
    about: 'source',
    isBroken: ({ facts, settings }) => facts.amount > settings.maxCents,
    sentence: ({ settings }) => `The amount is over the limit of ${formatCents(settings.maxCents)}.`,
  },
  {
    code: 'daily_limit',
    about: 'invoice',
    isBroken: isOverDailyLimit,
    sentence: () => 'A daily limit of automatic confirmation is reached.',
  },
  {
    code: 'too_old',
    about: 'source',
    isBroken: ({ evidence, settings }) =>
      evidence.signedAt !== null && settings.now.getTime() - Date.parse(evidence.signedAt) > maximumAgeMs,
    sentence: () => 'The message was signed more than 72 hours ago.',
  },
]

/** Returns the conditions that do not hold, each with a sentence for administrators. */
export function unmetConditions(context: ConditionContext): UnmetCondition[] {
  const isReversal = context.facts.direction === 'reversal'
  const applicable = conditions.filter(({ about }) => about === 'source' || !isReversal)
  return applicable
    .filter((condition) => condition.isBroken(context))
    .map(({ code, sentence }) => ({ code, sentence: sentence(context) }))
}
