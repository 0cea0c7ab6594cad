import { headingOf } from '#server/text-files/table.ts'
import type { RefusalReason } from '../../rules.ts'

type Plan = { id: number; name: string; months: number; connections: number; hidden: boolean }
type PlanCells = { name: string; months: string; connections: string }
/** Returns the id of the plan that matches all cells with a value, or why no plan was chosen. */
export type FindPlan = (wanted: PlanCells) => number | RefusalReason

/** Returns a function that finds plans by name, months and connections; empty cells match any plan. Hidden plans are used only if no plan on sale matches. */
export function planFinder(plans: Plan[]): FindPlan {
  const known = new Map<string, number | RefusalReason>()
  const find = ({ name, months, connections }: PlanCells): number | RefusalReason => {
    const matching = plans.filter(
      (plan) =>
        (name === '' || headingOf(plan.name) === headingOf(name)) &&
        (months === '' || plan.months === Number(months)) &&
        (connections === '' || plan.connections === Number(connections)),
    )
    const onSale = matching.filter(({ hidden }) => !hidden)
    const [plan, ...more] = onSale.length > 0 ? onSale : matching
    if (!plan) return 'plan_unknown'
    return more.length > 0 ? 'plan_ambiguous' : plan.id
  }
  return (wanted) => {
    const key = JSON.stringify(wanted)
    const found = known.get(key) ?? find(wanted)
    known.set(key, found)
    return found
  }
}
