import { clsx } from 'clsx'
import { Mascot } from './mascot.tsx'
import { eyeCount, type Tier } from './mascot-shapes.ts'
import { TierGlyph } from './tier-glyph.tsx'

interface Props {
  tier: Tier
  connections: number
  /** Off: the plain glyph. */
  mascot?: boolean
  className?: string
}

// Never the beast's own colour.
const grounds: Record<Tier, string> = { 1: 'bg-bar-cream', 2: 'bg-bar-teal', 3: 'bg-bar-mustard', 4: 'bg-bar-lime' }

/** A beast in its small window, beside the name of what it stands for. */
export function MascotTile({ tier, connections, mascot = true, className }: Props) {
  if (!mascot) return <TierGlyph tier={tier} size={44} className={className} />
  return (
    <span
      className={clsx(
        'grid size-14 shrink-0 items-end justify-items-center overflow-hidden rounded-md',
        grounds[tier],
        className,
      )}
    >
      <Mascot tier={tier} eyes={eyeCount(connections)} size={50} mouth={false} />
    </span>
  )
}
