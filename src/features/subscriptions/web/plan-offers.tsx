import type { Plan } from '#features/catalog/contract.ts'
import { plansOfTier, tiers } from '#features/catalog/rules.ts'
import { Card } from '#web/ui/card.tsx'
import { PlanOffer } from './plan-offer.tsx'

/** Every plan on sale, a card for each group. */
export function PlanOffers({ plans }: { plans: Plan[] }) {
  const groups = tiers.map((group) => ({ ...group, plans: plansOfTier(plans, group.tier) })).filter((group) => group.plans.length > 0)
  return groups.map(({ tier, slug, name, blurb, plans: offers }) => (
    <Card key={tier} title={name} titleId={`offers-${slug}`} aside={<p className="text-sm text-fg-2">{blurb}</p>} flush>
      <ul className="divide-y divide-line">
        {offers.map((plan) => (
          <PlanOffer key={plan.id} plan={plan} />
        ))}
      </ul>
    </Card>
  ))
}
