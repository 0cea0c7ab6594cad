import type { ReactNode } from 'react'

/** What a visitor can do with a plan. */
export interface Offer {
  label: string
  /** The props of the link. */
  link: { to: never; search: never; hash?: string }
  /** Whether the plan is that of the visitor's running subscription. */
  own?: boolean
  /** Shown below the price. */
  note?: ReactNode
  /** The look of the button; by default, only the popular plan has a primary button. */
  variant?: 'primary' | 'line' | 'soft'
}

/**
 * The link of a plan: to the checkout, or to the plan change of a customer with another running plan.
 * @param ownPlanId the plan of the visitor's running subscription
 */
export function planLink(planId: number, ownPlanId: number | undefined): Offer {
  const own = planId === ownPlanId
  if (ownPlanId === undefined || own)
    return {
      label: own ? 'Extend Your Plan' : 'Subscribe Now',
      link: { to: '/checkout' as never, search: { planId } as never },
      own,
      ...(own && { variant: 'line' }),
    }
  return {
    label: 'Change to This',
    link: { to: '/dashboard' as never, search: { change: planId } as never, hash: 'change-title' },
    variant: 'soft',
  }
}
