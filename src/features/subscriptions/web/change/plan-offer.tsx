import type { Plan } from '#features/catalog/contract.ts'
import { connectionLabel, tierOf } from '#features/catalog/rules.ts'
import { formatCents } from '#kit/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Money } from '#web/ui/money.tsx'
import { PlanTile } from '../plan-tile.tsx'

const shown = 3

/** A plan as a row: name, price, first features and the checkout link. */
export function PlanOffer({ plan }: { plan: Plan }) {
  const { caption } = tierOf(plan)
  const more = plan.features.length - shown
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-3 px-4.5 py-4 sm:px-6">
      <PlanTile plan={plan} size="small" />
      <p className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
        {plan.name}
        {plan.popular && <Badge variant="solid">Popular Choice</Badge>}
      </p>
      <p className="text-right">
        <Money cents={plan.price} className="display text-xl" />
        <span className="block text-sm text-fg-2">{caption}</span>
      </p>
      <div className="col-span-full flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <ul className="flex min-w-0 flex-1 basis-64 flex-wrap gap-x-4 gap-y-0.5 text-sm text-fg-2">
          {plan.features.slice(0, shown).map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
          {more > 0 && <li>+{more} more features</li>}
        </ul>
        <ButtonLink
          to="/checkout"
          search={{ planId: plan.id }}
          variant={plan.popular ? 'primary' : 'soft'}
          className="max-sm:w-full"
        >
          Subscribe Now
          <span className="sr-only">
            {' '}
            — {connectionLabel(plan.connections)}, {formatCents(plan.price)} {caption}
          </span>
        </ButtonLink>
      </div>
    </li>
  )
}
