import type { Plan } from '#features/catalog/contract.ts'
import { plansOfTier, type Tier, tiers } from '#features/catalog/rules.ts'
import { formatCents } from '#kit/money.ts'
import { Segmented } from '#web/ui/segmented.tsx'

interface Props {
  plans: Plan[]
  value: Tier
  onChange: (tier: Tier) => void
  /** Each length shows the price of its plan with this number of connections, or its lowest price if there is no such plan. */
  connections: number | undefined
}

/** The choice of a plan length, with a price for each length. */
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
