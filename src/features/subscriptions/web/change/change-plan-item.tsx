import { ArrowDown, ArrowLeftRight, ArrowUp } from 'lucide-react'
import type { Plan } from '#features/catalog/contract.ts'
import { tierOf } from '#features/catalog/rules.ts'
import { formatCents } from '#kit/money.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Money } from '#web/ui/money.tsx'
import { changeKind } from '../../change-rules.ts'
import { PlanTile } from '../plan-tile.tsx'

interface Props {
  plan: Plan
  /** Undefined if the current plan is no longer sold. */
  current: Plan | undefined
  onPreload: () => void
  onChoose: (plan: Plan, from: HTMLElement) => void
}

/** A plan that the customer can change to. */
export function ChangePlanItem({ plan, current, onPreload, onChoose }: Props) {
  const verb = current ? changeKind(current, plan) : 'Change'
  // By the specification, the arrow depends on the price alone.
  const Icon = !current ? ArrowLeftRight : plan.price > current.price ? ArrowUp : ArrowDown
  return (
    <li className="flex items-center gap-4 px-4.5 py-3.5 max-sm:gap-3 sm:px-6">
      <span className="max-sm:hidden">
        <PlanTile plan={plan} size="small" />
      </span>
      <p className="min-w-0 flex-1 font-semibold">
        {plan.name}
        <span className="block font-normal text-fg-2">
          <Money cents={plan.price} /> {tierOf(plan).caption}
          {current && (
            <>
              {', '}
              <Money cents={plan.price - current.price} signed />
            </>
          )}
        </span>
      </p>
      <Button
        variant="line"
        className="max-sm:px-3"
        aria-haspopup="dialog"
        onPointerEnter={onPreload}
        onFocus={onPreload}
        onClick={({ currentTarget }) => onChoose(plan, currentTarget)}
      >
        <Icon size={18} />
        <span>
          {verb}
          <span className="sr-only">
            {' '}
            to {plan.name}, {formatCents(plan.price)} {tierOf(plan).caption}
          </span>
        </span>
      </Button>
    </li>
  )
}
