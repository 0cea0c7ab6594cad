import { clsx } from 'clsx'
import { Mascot } from './mascot.tsx'
import { eyeCount, type Tier } from './mascot-shapes.ts'
import { TierGlyph } from './tier-glyph.tsx'

interface Props {
  tier: Tier
  connections: number
  /** False shows a plain glyph instead. */
  mascot?: boolean
  className?: string
}

// Each differs from the color of the mascot of that tier.
const backgrounds: Record<Tier, string> = { 1: 'bg-bar-cream', 2: 'bg-bar-teal', 3: 'bg-bar-mustard', 4: 'bg-bar-lime' }

/** The mascot of a tier on a small colored tile, shown beside the plan name. */
export function MascotTile({ tier, connections, mascot = true, className }: Props) {
  if (!mascot) return <TierGlyph tier={tier} size={44} className={className} />
  return (
    <span
      className={clsx(
        'grid size-14 shrink-0 items-end justify-items-center overflow-hidden rounded-md',
        backgrounds[tier],
        className,
      )}
    >
      <Mascot tier={tier} eyes={eyeCount(connections)} size={50} mouth={false} />
    </span>
  )
}
