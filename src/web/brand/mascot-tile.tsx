import { clsx } from 'clsx'
import { use } from 'react'
import { Mascot } from './mascot.tsx'
import { eyeCount, type Tier } from './mascot-shapes.ts'
import { MascotShown, PlanMascots } from './mascot-shown.ts'
import { TierGlyph } from './tier-glyph.tsx'

interface Props {
  tier: Tier
  connections: number
  /** The mascot to show; by default that of the plan group. */
  shape?: Tier
  className?: string
}

// Each background differs from the colors of its mascot.
const backgrounds: Record<Tier, string> = { 1: 'bg-bar-cream', 2: 'bg-bar-teal', 3: 'bg-bar-plum', 4: 'bg-bar-lime' }

/** The mascot of a plan group on a small colored tile, shown beside the plan name. Shows bars if the mascot is switched off. */
export function MascotTile({ tier, connections, shape, className }: Props) {
  const mascots = use(PlanMascots)
  const shown = shape ?? mascots[tier - 1]!
  if (!use(MascotShown)) return <TierGlyph tier={tier} size={44} className={className} />
  return (
    <span
      className={clsx(
        'grid size-14 shrink-0 items-end justify-items-center overflow-hidden rounded-md',
        backgrounds[shown],
        className,
      )}
    >
      <Mascot tier={shown} eyes={eyeCount(connections)} size={50} mouth={false} />
    </span>
  )
}
