import { useSuspenseQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { Plan } from '#features/catalog/contract.ts'
import { type Tier, tierOf } from '#features/catalog/rules.ts'
import { getSite } from '#features/settings/contract.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { eyeCount } from '#web/brand/mascot-shapes.ts'
import { TierGlyph } from '#web/brand/tier-glyph.tsx'
import { query } from '#web/data.ts'

// Chosen to contrast with the mascot's skin and horns.
const backgrounds: Record<Tier, string> = { 1: 'bg-bar-cream', 2: 'bg-bar-teal', 3: 'bg-bar-plum', 4: 'bg-bar-lime' }
const sizes = {
  small: 'size-13 rounded-md [&_.mascot]:size-11',
  large: 'size-22 rounded-[18px] max-sm:size-17 [&_.mascot]:size-[93%]',
}

/** The mascot of a plan: shape and color show its tier, the eyes its connections. */
export function PlanTile({ plan, size }: { plan: Pick<Plan, 'tier' | 'connections'>; size: keyof typeof sizes }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { tier } = tierOf(plan)
  if (!site.brand.mascot) return <TierGlyph tier={tier} size={size === 'large' ? 64 : 44} />
  return (
    <span
      className={clsx('grid shrink-0 items-end justify-items-center overflow-hidden', backgrounds[tier], sizes[size])}
    >
      <Mascot tier={tier} eyes={eyeCount(plan.connections)} mouth={size === 'large'} />
    </span>
  )
}
