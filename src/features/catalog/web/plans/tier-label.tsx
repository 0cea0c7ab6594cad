import { use } from 'react'
import { Mascot } from '#web/brand/mascot.tsx'
import type { Tier } from '#web/brand/mascot-shapes.ts'
import { MascotShown, PlanMascots } from '#web/brand/mascot-shown.ts'
import { TierGlyph } from '#web/brand/tier-glyph.tsx'
import { Badge } from '#web/ui/badge.tsx'

interface Props {
  tier: Tier
  name: string
  /** "3 months". */
  term: string
  /** The saving against the monthly price in whole percent; not shown when 0. */
  savesPercent?: number
}

/** The content of a tier tab: `<Tabs look="tiers" tabs={[{ …, content: <TierLabel … /> }]} />`. */
export function TierLabel({ tier, name, term, savesPercent = 0 }: Props) {
  const shape = use(PlanMascots)[tier - 1]!
  return (
    <>
      {use(MascotShown) ? (
        <Mascot tier={shape} eyes={tier} size={60} look={[0.15, 0.1]} mouth={false} />
      ) : (
        <TierGlyph tier={tier} />
      )}
      <span>
        <b className="tier-name">{name}</b>
        <span className="tier-term">{term}</span>
      </span>
      {savesPercent > 0 && <Badge variant="default">Save {savesPercent}%</Badge>}
    </>
  )
}
