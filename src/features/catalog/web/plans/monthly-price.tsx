import { formatCents } from '#kit/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import type { Plan } from '../../contract.ts'
import { centsPerMonth, planSaving } from '../../price-rules.ts'

/** The price of one month of a longer plan, and its saving against the monthly plan. */
export function MonthlyPrice({ plan, plans }: { plan: Plan; plans: Plan[] }) {
  if (plan.months === 1) return null
  const saving = planSaving(plans, plan)
  return (
    <p className="plan-monthly num">
      {formatCents(centsPerMonth(plan))} a month
      {saving > 0 && <Badge variant="default">Save {saving}%</Badge>}
    </p>
  )
}
