import { Link } from '@tanstack/react-router'
import { Mascot } from './mascot.tsx'
import { TierGlyph } from './tier-glyph.tsx'

export interface Brand {
  name: string
  /** False shows a plain glyph instead of the mascot. */
  mascot?: boolean
  contactEmail: string
  socials: readonly { label: string; url: string }[]
}

export function Logo({ brand }: { brand: Pick<Brand, 'name' | 'mascot'> }) {
  return (
    <Link to="/" className="logo" activeProps={{}}>
      {brand.mascot !== false ? (
        <Mascot
          tier={2}
          eyes={1}
          size={38}
          look={[-0.2, 0.1]}
          mouth={false}
          lid={0.25}
          skin="var(--bar-ember)"
          horn="var(--bar-mustard)"
        />
      ) : (
        <TierGlyph tier={3} size={34} />
      )}
      {brand.name}
    </Link>
  )
}
