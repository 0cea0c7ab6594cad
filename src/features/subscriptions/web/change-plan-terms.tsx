import { Minus, Plus } from 'lucide-react'
import type { Plan } from '#features/catalog/contract.ts'
import { Money } from '#web/ui/money.tsx'

type Sold = Pick<Plan, 'name' | 'price' | 'billing'>

interface Props {
  current: Sold | undefined
  currentFeatures: readonly string[] | undefined
  next: Plan
}

/** Both prices, what lies between them, and what is gained and lost. */
export function ChangePlanTerms({ current, currentFeatures = [], next }: Props) {
  const gained = next.features.filter((feature) => currentFeatures.length > 0 && !currentFeatures.includes(feature))
  const lost = currentFeatures.filter((feature) => !next.features.includes(feature))
  return (
    <>
      <dl className="grid gap-2.5 *:flex *:justify-between *:gap-4 [&_dd]:flex-none [&_dd]:text-right">
        {current && <Priced term="Current price" plan={current} />}
        <Priced term="New price" plan={next} />
        {current && (
          <div className="border-t pt-2.5">
            <dt>Price difference</dt>
            <dd>
              <Money cents={next.price - current.price} signed className="font-semibold" />
            </dd>
          </div>
        )}
      </dl>
      {gained.length + lost.length > 0 && (
        <ul className="grid gap-1 text-15 *:flex *:items-center *:gap-2">
          {gained.map((feature) => (
            <li key={feature}>
              <Plus size={16} className="flex-none text-ok" />
              <span>
                <span className="sr-only">You get </span>
                {feature}
              </span>
            </li>
          ))}
          {lost.map((feature) => (
            <li key={feature} className="text-fg-2">
              <Minus size={16} className="flex-none" />
              <span>
                <span className="sr-only">You no longer get </span>
                {feature}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Priced({ term, plan }: { term: string; plan: Sold }) {
  return (
    <div>
      <dt>
        {term}
        <span className="block text-15 text-fg-2">{plan.name}</span>
      </dt>
      <dd>
        <Money cents={plan.price} className="font-semibold" />
        <span className="block text-15 text-fg-2">per {plan.billing}</span>
      </dd>
    </div>
  )
}
