import type { Plan } from '#features/catalog/contract.ts'
import type { CheckoutState } from './use-checkout.ts'

/** The plan being purchased; undefined if none is chosen, and for a plan change, which replaces existing time. */
export function planOf({
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
