import { formatCents } from '#kit/money.ts'

type NamedPlan = { name: string }
/** The cost of a plan change in cents, and the remaining days of the current period. */
type ChangeCost = {
  keepsPeriod: boolean
  cost: number
  charge: number
  credit: number
  unusedList: number
  leftDays: number
  periodDays: number
}
/** Returns the description of a plan change invoice. Pages recognize plan changes by its prefix, see `isPlanChange`. */
export const changeDescription = (from: NamedPlan, to: NamedPlan): string =>
  `Subscription change: ${from.name} to ${to.name}`

/** Returns the value of the unused time in cents. The cost minus this value is the charge, or the negated credit. */
const unusedValue = ({ cost, charge, credit, unusedList }: ChangeCost): number =>
  charge > 0 ? cost - charge : credit > 0 ? cost + credit : unusedList
const daysText = ({ leftDays, periodDays }: ChangeCost): string => `${leftDays} of ${periodDays} days`

/** Explains the pro-rated price to the customer. */
export function explainChange(to: NamedPlan, change: ChangeCost): string {
  const { keepsPeriod, cost, charge, credit } = change
  const worth = formatCents(unusedValue(change))
  const start = keepsPeriod
    ? `Your end date stays the same. ${to.name} for the remaining ${daysText(change)} costs ${formatCents(cost)}`
    : `A new period starts when the change is paid. ${to.name} costs ${formatCents(cost)}`
  const unused = keepsPeriod
    ? `your unused time is worth ${worth}`
    : `your unused ${daysText(change)} are worth ${worth}`
  if (charge > 0)
    return `${start}. Less ${worth} for ${keepsPeriod ? 'your unused time' : `your unused ${daysText(change)}`}, you pay ${formatCents(charge)}.`
  if (credit > 0)
    return `${start}, and ${unused}. ${formatCents(credit)} becomes account credit when an administrator approves.`
  return `${start}, and ${unused}. You pay nothing. Only time that you paid for becomes account credit.`
}

type ChangeItem = { kind: 'plan' | 'plan_change'; description: string; amount: number }
/** Returns the items of a plan change invoice. They add up to the charge. */
export function changeItems(from: NamedPlan, to: NamedPlan, change: ChangeCost): ChangeItem[] {
  const { keepsPeriod, cost, charge, credit } = change
  const items: ChangeItem[] = keepsPeriod
    ? [{ kind: 'plan_change', description: `${from.name} to ${to.name}, ${daysText(change)}`, amount: charge - credit }]
    : [
        { kind: 'plan', description: to.name, amount: cost },
        {
          kind: 'plan_change',
          description: `Unused part of ${from.name}, ${daysText(change)}`,
          amount: charge - credit - cost,
        },
      ]
  return credit > 0
    ? [...items, { kind: 'plan_change', description: 'Becomes account credit when approved', amount: credit }]
    : items
}
