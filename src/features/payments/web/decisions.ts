import { formatCents } from '#kit/money.ts'
import type { PaymentCandidate } from '../admin-candidate-contract.ts'
import type { PaymentDecision, PaymentDetail } from '../admin-contract.ts'
import { currencyProblem, moneyText } from '../rules.ts'

/** A decision that can be chosen for a payment. */
export interface Choice {
  key: string
  /** The title of the card. `button` is the text of the button, with a verb and the amount. */
  title: string
  description: string
  button: string
  decision: Omit<PaymentDecision, 'version' | 'expectedOpen'>
  /** Whether the administrator has to enter a reason. The reason in `decision` is only for the preview. */
  needsReason?: boolean
}

/** Returns the possible decisions for an invoice, the suggested one first. */
export function choicesFor(payment: PaymentDetail, candidate: PaymentCandidate): Choice[] {
  return candidate.actions.flatMap((action) => {
    if (currencyProblem(action, payment.currency)) return []
    switch (action) {
      case 'confirm':
        return confirmChoices(payment, candidate)
      case 'link':
        return [linkChoice(payment, candidate)]
      case 'hold':
        return [
          ...coverChoices(payment, candidate),
          holdChoice(payment, candidate),
          ...acceptChoices(payment, candidate),
        ]
      case 'credit':
        return [...nextChoices(payment, candidate), creditChoice(payment, candidate)]
      case 'refund':
        return [refundChoice(payment, [candidate.invoiceId])]
      default:
        return []
    }
  })
}

function confirmChoices({ openCents, lateDays }: PaymentDetail, candidate: PaymentCandidate): Choice[] {
  const { invoiceId, invoiceNumber, together, due, customer, kind, held } = candidate
  const amount = formatCents(openCents)
  if (together.length > 1)
    return [
      {
        key: 'together',
        title: `Confirm ${together.length} invoices`,
        description: together.map((each) => `${each.invoiceNumber} ${formatCents(each.due)}`).join(' + '),
        button: `Confirm ${amount}`,
        decision: { action: 'confirm', invoiceIds: together.map((each) => each.invoiceId) },
      },
    ]
  const rest = openCents - due
  const decision = { action: 'confirm' as const, invoiceIds: [invoiceId] }
  if (rest > 0)
    return [
      {
        key: 'rest-credit',
        title: `Confirm, ${formatCents(rest)} to the account credit`,
        description: `${invoiceNumber} is paid. ${customer} can use the rest for the next invoice.`,
        button: `Confirm ${amount}`,
        decision: { ...decision, rest: 'credit' },
      },
      {
        key: 'rest-refund',
        title: `Confirm, send ${formatCents(rest)} back`,
        description: `${invoiceNumber} is paid. The rest is listed under Refunds until you send it.`,
        button: `Confirm ${formatCents(due)}`,
        decision: { ...decision, rest: 'refund' },
      },
    ]
  return [
    {
      key: 'confirm',
      title: kind === 'late' ? `Confirm ${invoiceNumber} late` : `Confirm ${amount}`,
      description:
        kind === 'late'
          ? `The order is closed. A payment is honored for ${lateDays} days after the deadline.`
          : held > 0
            ? `Together with the ${formatCents(held)} that is held.`
            : `${invoiceNumber} is paid in full.`,
      button: kind === 'likely' ? `Confirm with ${differences(candidate)}` : `Confirm ${amount}`,
      decision,
    },
  ]
}

function differences({ evidence }: PaymentCandidate): string {
  const count = evidence.filter(({ state }) => state !== 'same').length
  return `${count} ${count === 1 ? 'Difference' : 'Differences'}`
}

const linkChoice = ({ openCents }: PaymentDetail, { invoiceId, invoiceNumber }: PaymentCandidate): Choice => ({
  key: 'link',
  title: `Link to ${invoiceNumber}`,
  description: 'The invoice was confirmed before. The payment becomes its evidence; nothing is booked again.',
  button: `Link ${formatCents(openCents)}`,
  decision: { action: 'link', invoiceIds: [invoiceId] },
})

const holdChoice = ({ openCents }: PaymentDetail, { invoiceId, invoiceNumber, due }: PaymentCandidate): Choice => ({
  key: 'hold',
  title: `Hold it and ask for ${formatCents(due - openCents)}`,
  description: `An email asks for the rest. The deadline of ${invoiceNumber} moves by 3 days, and the plan does not start yet.`,
  button: `Hold ${formatCents(openCents)}`,
  decision: { action: 'hold', invoiceIds: [invoiceId] },
})

function coverChoices(
  { openCents }: PaymentDetail,
  { invoiceId, invoiceNumber, due, freeCredit }: PaymentCandidate,
): Choice[] {
  const short = due - openCents
  if (short <= 0 || short > freeCredit) return []
  return [
    {
      key: 'cover',
      title: `Take ${formatCents(short)} from the account credit`,
      description: `The balance is ${formatCents(freeCredit)}, so ${formatCents(freeCredit - short)} is left. ${invoiceNumber} is paid in full.`,
      button: `Confirm with ${formatCents(short)} Credit`,
      decision: { action: 'confirm', invoiceIds: [invoiceId], short: 'credit' },
    },
  ]
}

/** Returns the decision to use a second payment of a paid invoice for another open invoice of the customer. */
function nextChoices({ openCents }: PaymentDetail, { next }: PaymentCandidate): Choice[] {
  if (!next) return []
  const rest = openCents - next.due
  return [
    {
      key: 'next',
      title: `Use it for ${next.invoiceNumber}`,
      description: `${next.planName} is open and costs ${formatCents(next.due)}.${rest > 0 ? ` ${formatCents(rest)} is added to the account credit.` : ''}`,
      button: `Confirm ${next.invoiceNumber}`,
      decision: { action: 'confirm', invoiceIds: [next.invoiceId], ...(rest > 0 && { rest: 'credit' as const }) },
    },
  ]
}

function acceptChoices(
  { openCents, acceptedCents }: PaymentDetail,
  { invoiceId, invoiceNumber, due }: PaymentCandidate,
): Choice[] {
  const short = due - openCents
  if (short <= 0 || short > acceptedCents) return []
  return [
    {
      key: 'accept',
      title: `Accept ${formatCents(short)} less`,
      description: `${invoiceNumber} is reduced by this amount and is paid. Please explain the difference.`,
      button: `Confirm ${formatCents(openCents)}`,
      decision: { action: 'confirm', invoiceIds: [invoiceId], short: 'accept', reason: 'Preview' },
      needsReason: true,
    },
  ]
}

const creditChoice = ({ openCents }: PaymentDetail, { invoiceId, customer }: PaymentCandidate): Choice => ({
  key: 'credit',
  title: `Add ${formatCents(openCents)} to the account credit`,
  description: `${customer} can use it for any invoice.`,
  button: `Credit ${formatCents(openCents)}`,
  decision: { action: 'credit', invoiceIds: [invoiceId] },
})

const refundChoice = (
  { openCents, currency, payerHandle, payerName }: PaymentDetail,
  invoiceIds: number[] = [],
): Choice => ({
  key: 'refund',
  title: `Send ${moneyText(openCents, currency)} back`,
  description: `Listed under Refunds until you send it${payerHandle || payerName ? ` to ${payerHandle || payerName}` : ''}.`,
  button: `Plan Refund of ${moneyText(openCents, currency)}`,
  decision: { action: 'refund', invoiceIds },
})

/** Returns the decisions that need no invoice. */
export const choicesWithoutInvoice = (payment: PaymentDetail): Choice[] =>
  payment.kind === 'reversal' ? [laterChoice(payment)] : [laterChoice(payment), notOursChoice, refundChoice(payment)]

const laterChoice = (payment: PaymentDetail): Choice =>
  payment.status === 'set_aside'
    ? {
        key: 'reopen',
        title: 'Put it back on the list',
        description: 'It is compared with the open invoices again.',
        button: 'Put Back',
        decision: { action: 'reopen' },
      }
    : {
        key: 'set_aside',
        title: 'Set it aside for a week',
        description: 'It returns to the list after a week.',
        button: 'Set Aside',
        decision: { action: 'set_aside', until: dayAfter(7) },
      }

export const notOursChoice: Choice = {
  key: 'not_ours',
  title: 'Not ours',
  description: 'The money has nothing to do with an order.',
  button: 'Mark as Not Ours',
  decision: { action: 'not_ours' },
}

const dayAfter = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const pastTense: Record<string, string> = {
  confirm: 'Confirmed',
  link: 'Linked',
  hold: 'Held',
  credit: 'Added to credit',
  refund: 'Refund planned',
  refund_sent: 'Refund sent',
  not_ours: 'Not ours',
  set_aside: 'Set aside',
  reopen: 'Back on the list',
  release: 'Released',
  take_back: 'Taken back',
  bear: 'Loss absorbed',
  undo: 'Undone',
}
/** Returns what a decision did, such as "Confirmed". */
export const pastTenseOf = (action: string): string => pastTense[action] ?? action

/** Returns the name or handle of the payer. */
export const payerOf = ({ payerName, payerHandle }: { payerName: string; payerHandle: string }): string =>
  payerName || payerHandle || 'Unknown sender'
