import { useSuspenseQuery } from '@tanstack/react-query'
import type { Plan } from '#features/catalog/contract.ts'
import { namedTiers, plansOfTier } from '#features/catalog/rules.ts'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { PlanOffer } from './plan-offer.tsx'

/** Every plan on sale, one card per tier. */
export function PlanOffers({ plans }: { plans: Plan[] }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  return (
    <section className="col-span-full mt-7 grid gap-5 lg:grid-cols-2" aria-labelledby="offers-title">
      <h2 id="offers-title" className="col-span-full">
        Choose Your Beast
      </h2>
      {namedTiers(site.brand.plans).map(({ tier, slug, name, blurb }) => {
        const offers = plansOfTier(plans, tier)
        if (offers.length === 0) return null
        return (
          <Card
            key={tier}
            title={name}
            titleId={`offers-${slug}`}
            heading="h3"
            aside={<p className="text-sm text-fg-2">{blurb}</p>}
            flush
          >
            <ul className="divide-y divide-line">
              {offers.map((plan) => (
                <PlanOffer key={plan.id} plan={plan} />
              ))}
            </ul>
          </Card>
        )
      })}
    </section>
  )
}
