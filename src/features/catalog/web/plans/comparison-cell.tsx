import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { formatCents } from '#kit/money.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { Badge } from '#web/ui/badge.tsx'
import type { Plan } from '../../contract.ts'
import { centsPerMonth, centsPerScreen, planSaving } from '../../price-rules.ts'
import { connectionLabel, tierOf } from '../../rules.ts'
import { planLink } from './plan-link.ts'

export type PriceUnit = 'month' | 'total' | 'screen'

interface Props {
  plan: Plan
  /** The name of the plan's group. */
  name: string
  plans: Plan[]
  unit: PriceUnit
  ownPlanId: number | undefined
}

/** A plan in the comparison: the price in the chosen unit, the total of the period and the saving. The whole cell is a link. */
export function ComparisonCell({ plan, name, plans, unit, ownPlanId }: Props) {
  const { tier, caption } = tierOf(plan)
  const saving = planSaving(plans, plan)
  const { label, link, own: isOwn } = planLink(plan.id, ownPlanId)
  const perMonth = `${formatCents(centsPerMonth(plan))} a month`
  const total = `${formatCents(plan.price)} ${caption}`
  const [price, beside] = {
    month: [centsPerMonth(plan), plan.months === 1 ? caption : total],
    total: [plan.price, plan.months === 1 ? caption : `${caption}, ${perMonth}`],
    screen: [centsPerScreen(plan), plan.months === 1 ? 'a month for each screen' : `a month, ${total}`],
  }[unit] as [number, string]
  return (
    <Link
      {...link}
      preload={false}
      className={clsx('compare-cell', isOwn ? 'compare-own' : plan.popular && 'compare-popular')}
    >
      <span className="sr-only">
        {label} — {name}, {connectionLabel(plan.connections).toLowerCase()}:
      </span>
      {(isOwn || plan.popular) && <Badge className="compare-flag">{isOwn ? 'Your plan' : 'Popular Choice'}</Badge>}
      <span className="compare-narrow" aria-hidden="true">
        <Mascot tier={tier} eyes={tier} size={40} mouth={false} />
        <b className="tier-name">{name}</b>
      </span>
      <b className="compare-price num">{formatCents(price)}</b>
      {saving > 0 && <Badge variant="default">−{saving}%</Badge>}
      <span className="compare-beside num">{beside}</span>
    </Link>
  )
}
