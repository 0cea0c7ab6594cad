import { useSuspenseQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { Plan } from '#features/catalog/contract.ts'
import { plansOfTier, pricingHead, type Tier, tiers } from '#features/catalog/rules.ts'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { PlanLengthChoice } from './plan-length-choice.tsx'
import { PlanOffer } from './plan-offer.tsx'

/** Every plan on sale, by length. */
export function PlanOffers({ plans }: { plans: Plan[] }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const groups = tiers.filter(({ tier }) => plansOfTier(plans, tier).length > 0)
  const [chosen, setTier] = useState<Tier>(1)
  const tier = groups.find((group) => group.tier === chosen)?.tier ?? groups[0]?.tier
  if (tier === undefined) return null
  return (
    <Card title={pricingHead(plans, site.brand.plans).title} titleId="offers-title" flush>
      <div className="grid gap-3 px-4.5 py-5 sm:px-6">
        <PlanLengthChoice plans={plans} value={tier} onChange={setTier} connections={undefined} />
        <p className="text-fg-2">{groups.find((group) => group.tier === tier)?.blurb}</p>
      </div>
      {groups.map((group) => (
        <ul key={group.slug} className={clsx('divide-y divide-line border-t', group.tier !== tier && 'hidden')}>
          {plansOfTier(plans, group.tier).map((plan) => (
            <PlanOffer key={plan.id} plan={plan} />
          ))}
        </ul>
      ))}
    </Card>
  )
}
