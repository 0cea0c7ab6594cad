/**
 * Where a plan leads, as props of a link: to the checkout, or to the plan change of a customer with another running plan.
 * @param ownPlanId the plan of the visitor's running subscription
 */
export const planLink = (planId: number, ownPlanId: number | undefined) =>
  (ownPlanId === undefined || ownPlanId === planId
    ? { to: '/checkout', search: { planId }, preload: false }
    : { to: '/dashboard', search: { change: planId }, hash: 'change-title', preload: false }) as {
    to: never
    search: never
    preload: false
  }

/** What that link does: `Subscribe Now`, or for a subscriber `Extend Your Plan` and `Change to This`. */
export const planLinkLabel = (planId: number, ownPlanId: number | undefined): string =>
  ownPlanId === undefined ? 'Subscribe Now' : ownPlanId === planId ? 'Extend Your Plan' : 'Change to This'
