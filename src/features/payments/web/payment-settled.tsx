import { format } from 'date-fns'
import { Button } from '#web/ui/button/button.tsx'
import { May } from '#web/ui/permission/may.tsx'
import type { PaymentDetail } from '../admin-contract.ts'
import { moneyText } from '../rules.ts'
import { pastTenseOf } from './decisions.ts'
import { allocationNames } from './reversals/reversal-choices.ts'

interface Props {
  payment: PaymentDetail
  pending: boolean
  onUndo: (payment: PaymentDetail) => void
  onRefundSent: (payment: PaymentDetail, button: HTMLElement) => void
}

/** Shows where the money of a decided payment went and who decided, with the button to undo the decision. */
export function PaymentSettled({ payment, pending, onUndo, onRefundSent }: Props) {
  const hasRefund = payment.allocations.some(({ target }) => target === 'refund_due')
  return (
    <section aria-labelledby="payment-settled">
      <h3 id="payment-settled" className="mb-2 text-base">
        Where the money is
      </h3>
      <ul className="grid gap-1">
        {payment.allocations.map((each) => (
          <li key={each.id}>
            <b className="num">{moneyText(each.amount, payment.currency)}</b> {allocationNames[each.target]}{' '}
            {[each.invoiceNumber, each.customer, each.refundReference].filter(Boolean).join(', ')}
          </li>
        ))}
      </ul>
      <h3 className="mt-5 mb-2 text-base">Decisions</h3>
      <ul className="grid gap-1 text-sm">
        {payment.history.map((each) => (
          <li key={each.at}>
            {pastTenseOf(each.action)} {each.by ? `by ${each.by}` : 'automatically'},{' '}
            {format(new Date(each.at), 'MMM d, yyyy, h:mm a')}
            {each.reason && `: ${each.reason}`}
          </li>
        ))}
      </ul>
      <May needs="payments.decide">
        <p className="mt-5 flex flex-wrap gap-2">
          {hasRefund && (
            <Button onClick={({ currentTarget }) => onRefundSent(payment, currentTarget)}>Mark Refund as Sent</Button>
          )}
          {payment.undoable && (
            <Button variant="line" pending={pending} onClick={() => onUndo(payment)}>
              Undo
            </Button>
          )}
        </p>
      </May>
    </section>
  )
}
