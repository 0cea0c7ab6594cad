import type { Plan } from '#features/catalog/contract.ts'
import { plansOfTier, type Tier, tiers } from '#features/catalog/rules.ts'
import { formatCents } from '#kit/money.ts'
import { Segmented } from '#web/ui/segmented.tsx'

interface Props {
  plans: Plan[]
  value: Tier
  onChange: (tier: Tier) => void
  /** Each length shows the price of the plan with this number of connections; without such a plan, its lowest price. */
  connections: number | undefined
}

/** The choice of a length, with a price for each. */
export function PlanLengthChoice({ plans, value, onChange, connections }: Props) {
  const options = tiers.flatMap(({ tier, months }) => {
    const offers = plansOfTier(plans, tier)
    const [first] = offers
    if (!first) return []
    const same = offers.find((plan) => plan.connections === connections)
    return {
      value: tier,
      label: (
        <span className="plan-length">
          {months === 1 ? '1 month' : `${months} months`}
          <span className="num">
            {!same && 'from '}
            {formatCents((same ?? first).price)}
          </span>
        </span>
      ),
    }
  })
  return <Segmented legend="Length" className="plan-lengths" options={options} value={value} onChange={onChange} />
}
