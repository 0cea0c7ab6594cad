import { useSuspenseQuery } from '@tanstack/react-query'
import type { Plan } from '#features/catalog/contract.ts'
import { namedTiers, plansOfTier } from '#features/catalog/rules.ts'
import { getSite } from '#features/settings/contract.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'

/** The options of a `<select>` for plans with their prices, grouped by length. */
export function PlanOptions({ plans }: { plans: Plan[] }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  return namedTiers(site.brand.plans)
    .filter(({ tier }) => plansOfTier(plans, tier)[0])
    .map(({ tier, name, caption }) => (
      <optgroup key={tier} label={`${name}, ${caption}`}>
        {plansOfTier(plans, tier).map((each) => (
          <option key={each.id} value={each.id}>
            {each.name} – {formatCents(each.price)}
          </option>
        ))}
      </optgroup>
    ))
}
