import type { Plan } from '#features/catalog/contract.ts'
import { Money } from '#web/ui/money.tsx'

type Sold = Pick<Plan, 'name' | 'price' | 'billing'>

/** Both prices and their difference. */
export function ChangePlanTerms({ current, next }: { current: Sold | undefined; next: Sold }) {
  return (
    <dl className="grid gap-2.5 *:flex *:flex-wrap *:justify-between *:gap-x-4">
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
  )
}

function Priced({ term, plan }: { term: string; plan: Sold }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        <Money cents={plan.price} className="font-semibold" /> <span className="text-fg-2">per {plan.billing}</span>
      </dd>
      <dd className="basis-full text-15 text-fg-2">{plan.name}</dd>
    </div>
  )
}
