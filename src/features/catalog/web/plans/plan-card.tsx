import { clsx } from 'clsx'
import { type ReactNode, use } from 'react'
import { Mascot } from '#web/brand/mascot.tsx'
import { eyeCount, ink, type Tier } from '#web/brand/mascot-shapes.ts'
import { MascotShown, PlanMascots } from '#web/brand/mascot-shown.ts'
import { TierGlyph } from '#web/brand/tier-glyph.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Ticks } from '#web/ui/ticks.tsx'
import { ConnectionBadge } from './connection-badge.tsx'
import { Price } from './price.tsx'

interface Props {
  tier: Tier
  connections: number
  priceCents: number
  /** Such as "per month" or "for 3 months". */
  period: string
  features: readonly string[]
  popular?: boolean
  /** Whether this is the plan of the visitor's running subscription. */
  own?: boolean
  /** Shown below the price. */
  note?: ReactNode
  /** The heading level: one below the heading of the section. */
  heading?: 'h2' | 'h3'
  /** The button. */
  action: ReactNode
}

/** A plan in a `<ul className="plans">`. */
export function PlanCard({
  tier,
  connections,
  priceCents,
  period,
  features,
  popular = false,
  own = false,
  note,
  heading: Heading = 'h3',
  action,
}: Props) {
  const shape = use(PlanMascots)[tier - 1]!
  return (
    <li className={clsx('plan', own ? 'plan-own' : popular && 'plan-popular')}>
      <div className="plan-peek">
        {use(MascotShown) ? (
          <Mascot
            tier={shape}
            eyes={eyeCount(connections)}
            size={72}
            look={[0.1, 0.2]}
            mouth={false}
            // Horns of any other color are invisible on the band of a popular plan.
            {...(popular && !own && { skin: ink, horn: 'var(--bar-ember)', lid: 0.25 })}
          />
        ) : (
          <TierGlyph tier={tier} />
        )}
      </div>
      {(own || popular) && <Badge className="plan-flag">{own ? 'Your plan' : 'Popular Choice'}</Badge>}
      <Heading className="plan-name">
        <ConnectionBadge count={connections} />
      </Heading>
      <Price cents={priceCents} />
      <p className="plan-period">{period}</p>
      {note}
      <Ticks items={features} />
      {action}
    </li>
  )
}
