import type { Plan } from '#features/catalog/contract.ts'
import type { CheckoutState } from './use-checkout.ts'

/**
 * Returns the plan that the customer is buying. Undefined if no plan is chosen or if the invoice is for a plan change, because a plan change replaces
 * the remaining time instead of adding time.
 */
export function planBeingBought({
  state,
  order,
  plans,
  details,
}: CheckoutState): Pick<Plan, 'id' | 'name' | 'months' | 'connections'> | undefined {
  const chosen = details.watch('planId')
  if (!order || (state.step === 'details' && order.invoice.planId !== chosen))
    return plans.find((plan) => plan.id === chosen)
  if (order.invoice.kind === 'plan_change' || !order.plan) return undefined
  return { ...order.plan, name: order.invoice.planName }
}
