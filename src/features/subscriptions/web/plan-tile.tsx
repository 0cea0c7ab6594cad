import { clsx } from 'clsx'
import { use } from 'react'
import type { Plan } from '#features/catalog/contract.ts'
import { type Tier, tierOf } from '#features/catalog/rules.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { eyeCount } from '#web/brand/mascot-shapes.ts'
import { MascotShown, PlanMascots } from '#web/brand/mascot-shown.ts'
import { TierGlyph } from '#web/brand/tier-glyph.tsx'

// Chosen to contrast with the mascot's skin and horns.
const backgrounds: Record<Tier, string> = { 1: 'bg-bar-cream', 2: 'bg-bar-teal', 3: 'bg-bar-plum', 4: 'bg-bar-lime' }
const sizes = {
  small: 'size-13 rounded-md [&_.mascot]:size-11',
  large: 'size-22 rounded-[18px] max-sm:size-17 [&_.mascot]:size-[93%]',
}

/** The mascot of a plan: shape and color show its tier, the eyes its connections. */
export function PlanTile({ plan, size }: { plan: Pick<Plan, 'tier' | 'connections'>; size: keyof typeof sizes }) {
  const mascots = use(PlanMascots)
  const { tier } = tierOf(plan)
  const shape = mascots[tier - 1]!
  if (!use(MascotShown)) return <TierGlyph tier={tier} size={size === 'large' ? 64 : 44} />
  return (
    <span
      className={clsx('grid shrink-0 items-end justify-items-center overflow-hidden', backgrounds[shape], sizes[size])}
    >
      <Mascot tier={shape} eyes={eyeCount(plan.connections)} mouth={size === 'large'} />
    </span>
  )
}
