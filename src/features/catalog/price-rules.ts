import type { Plan } from './contract.ts'
import { namedTiers, plansOfTier } from './rules.ts'

type Priced = Pick<Plan, 'price' | 'months' | 'connections'>

/** Returns the price of one month in cents, rounded up. */
export const centsPerMonth = ({ price, months }: Priced): number => Math.ceil(price / months)

/** Returns the price of one screen for one month in cents, rounded up. */
export const centsPerScreen = ({ price, months, connections }: Priced): number =>
  Math.ceil(price / (months * connections))

/** Returns the saving compared with the monthly plan with the same number of connections, in whole percent rounded down; 0 without such a plan. */
export function planSaving(plans: Plan[], { price, months, connections }: Priced): number {
  const monthly = plansOfTier(plans, 1).find((plan) => plan.connections === connections)
  if (!monthly || monthly.price === 0) return 0
  return Math.max(0, Math.floor(100 - (100 * price) / (monthly.price * months)))
}

/**
 * All plans on sale as a table: a column for each group that has plans, a row for each number of connections. A cell without a plan is undefined.
 * @param names the names of the four groups
 */
export function planTable(plans: Plan[], names: readonly string[]) {
  const groups = namedTiers(names).filter(({ tier }) => plansOfTier(plans, tier).length > 0)
  const counts = [...new Set(plans.map(({ connections }) => connections))].sort((a, b) => a - b)
  const rows = counts.map((connections) => ({
    connections,
    plans: groups.map(({ tier }) => plansOfTier(plans, tier).find((plan) => plan.connections === connections)),
  }))
  return { groups, rows }
}
