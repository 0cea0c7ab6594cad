import { ChevronDown } from 'lucide-react'
import type { Plan } from '#features/catalog/contract.ts'
import { tierOf, tiers } from '#features/catalog/rules.ts'
import type { OrderQuote } from '#features/subscriptions/contract.ts'
import { MascotTile } from '#web/brand/mascot-tile.tsx'
import { Money } from '#web/ui/money.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { InvoiceDetail } from '../../contract.ts'
import { canUseCredit } from '../../rules.ts'
import { CreditSwitch } from './credit-switch.tsx'
import type { CheckoutState } from './use-checkout.ts'

/** The order summary: beside the steps, or above them on small screens. */
export function CheckoutSummaryPanel({ checkout }: { checkout: CheckoutState }) {
  const { state, order, plans, details, quote, nextNumber } = checkout
  const chosenId = details.watch('planId')
  const isChanged = state.step === 'details' && order !== undefined && order.invoice.planId !== chosenId
  const orderId = state.invoiceNumber && !isChanged ? state.invoiceNumber : nextNumber
  const shown =
    order && !isChanged
      ? fromInvoice(order, plans)
      : fromPlan(
          plans.find((plan) => plan.id === chosenId),
          quote,
        )

  return (
    <details open className="card group">
      <summary className="flex items-center gap-3 rounded-lg px-4.5 py-4 sm:px-6">
        <h2 className="flex-1 text-lg">Your order</h2>
        {shown && <Money cents={shown.amount} className="display text-lg" />}
        <ChevronDown size={20} className="text-fg-2 group-open:rotate-180" />
      </summary>
      <div className="grid gap-4 border-t px-4.5 py-4 sm:px-6 sm:py-5">
        {shown ? (
          <>
            <div className="flex items-center gap-3.5">
              <MascotTile tier={shown.tier} connections={shown.connections} />
              <p className="min-w-0 wrap-anywhere">
                <b className="block font-semibold">{shown.name}</b>
                <span className="text-fg-2 text-sm">{shown.period}</span>
              </p>
            </div>
            <dl className="grid gap-2 border-t pt-4 text-15 [&>:last-child:not(:first-child)]:border-t [&>:last-child:not(:first-child)]:pt-3">
              {shown.lines.length > 1 &&
                shown.lines.map((line) => (
                  <div key={line.description} className="flex justify-between gap-4">
                    <dt className="min-w-0 text-fg-2 wrap-anywhere">{line.description}</dt>
                    <dd>
                      <Money cents={line.amount} />
                    </dd>
                  </div>
                ))}
              <div className="flex items-baseline justify-between gap-4 font-semibold">
                <dt>Total</dt>
                <dd>
                  <Money cents={shown.amount} className="display text-xl" />
                </dd>
              </div>
            </dl>
          </>
        ) : (
          <p className="text-fg-2">Choose a plan to see its price here.</p>
        )}
        {order && !state.closed && state.step === 'payment' && canUseCredit(order) && (
          <div className="border-t pt-4">
            <CreditSwitch order={order} />
          </div>
        )}
        <p className="border-t pt-4 text-fg-2 text-sm">
          Order <b className="num font-semibold text-fg">{orderId}</b>
          {order && !isChanged && !state.closed && (state.step === 'details' || state.step === 'payment') && (
            <>
              {', held for you until '}
              <DateText value={order.invoice.expiresAt} />
            </>
          )}
        </p>
      </div>
    </details>
  )
}

const fromPlan = (plan: Plan | undefined, quote: OrderQuote | undefined) =>
  plan && {
    name: plan.name,
    tier: tierOf(plan).tier,
    connections: plan.connections,
    period: tierOf(plan).caption,
    lines: quote?.lines ?? [{ description: plan.name, amount: plan.price }],
    amount: quote?.amount ?? plan.price,
  }

function fromInvoice({ invoice, lines, plan }: InvoiceDetail, plans: readonly Plan[]) {
  const tier = tierOf(
    plans.find((each) => each.id === invoice.planId) ?? {
      tier: tiers.find((each) => each.months === plan?.months)?.tier ?? 1,
    },
  )
  return {
    name: invoice.planName,
    tier: tier.tier,
    connections: plan?.connections ?? 1,
    period: invoice.kind === 'plan_change' ? 'Subscription change' : tier.caption,
    lines: lines.length > 0 ? lines : [{ description: invoice.description, amount: invoice.amount }],
    amount: invoice.amount,
  }
}
