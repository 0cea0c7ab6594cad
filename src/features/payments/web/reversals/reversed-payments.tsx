import type { PaymentDetail } from '../../admin-contract.ts'
import { moneyText } from '../../rules.ts'
import { allocationNames, remainingCents } from './reversal-choices.ts'

/** Lists the payments that a reversal may take back, and where their money is. */
export function ReversedPayments({ payment }: { payment: PaymentDetail }) {
  const { reversed, currency, openCents } = payment
  if (reversed.length === 0) return <p>No recorded payment matches. Find its invoice by hand, or decide without one.</p>
  return (
    <section aria-labelledby="payment-reversed" className="mb-4">
      <h3 id="payment-reversed" className="mb-2 text-base">
        The payment that was taken back
      </h3>
      <ul className="grid gap-3">
        {reversed.map((each) => (
          <li key={each.paymentId}>
            <p>
              <b className="num">{moneyText(each.amount, currency)}</b> from {each.payer || 'an unknown sender'},{' '}
              {each.paidOn}
              {each.isNamed ? ', named by the provider' : ', a possible match'}
            </p>
            <ul className="grid gap-1 pl-4 text-sm text-fg-2">
              {each.allocations.map((part) => (
                <li key={part.id}>
                  <span className="num">{moneyText(part.amount, currency)}</span> {allocationNames[part.target]}{' '}
                  {[part.invoiceNumber, part.customer].filter(Boolean).join(', ')}
                </li>
              ))}
              {each.openCents > 0 && (
                <li>
                  <span className="num">{moneyText(each.openCents, currency)}</span> not decided yet
                </li>
              )}
            </ul>
            {remainingCents(each) !== openCents && (
              <p className="text-sm">
                {moneyText(remainingCents(each), currency)} of it is left, which differs from the amount that was taken
                back.
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
