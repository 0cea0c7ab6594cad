import { Minus, Plus } from 'lucide-react'
import { featureChanges } from '../../change-rules.ts'

/** The features gained and lost; renders nothing if both plans have the same features. */
export function ChangePlanFeatures({ current, next }: { current: readonly string[]; next: readonly string[] }) {
  const { gained, lost } = featureChanges(current, next)
  if (gained.length + lost.length === 0) return null
  return (
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
  )
}
