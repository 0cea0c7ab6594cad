import { Minus, Plus } from 'lucide-react'
import type { Plan } from '#features/catalog/contract.ts'
import { Money } from '#web/ui/money.tsx'

interface Props {
  current: Pick<Plan, 'name' | 'price' | 'billing'> | undefined
  currentFeatures: readonly string[] | undefined
  next: Plan
}

/** Both prices, what lies between them, and what is gained and lost. */
export function ChangePlanTerms({ current, currentFeatures = [], next }: Props) {
  const gained = next.features.filter((feature) => currentFeatures.length > 0 && !currentFeatures.includes(feature))
  const lost = currentFeatures.filter((feature) => !next.features.includes(feature))
  return (
    <>
      <dl className="grid gap-2.5 *:flex *:items-baseline *:justify-between *:gap-4 [&_dd]:text-right [&_dt]:text-fg-2">
        {current && (
          <div>
            <dt>Current price</dt>
            <dd>
              <Money cents={current.price} className="font-semibold" /> <span className="text-fg-2">per {current.billing}</span>
            </dd>
          </div>
        )}
        <div>
          <dt>New price</dt>
          <dd>
            <Money cents={next.price} className="font-semibold" /> <span className="text-fg-2">per {next.billing}</span>
          </dd>
        </div>
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
