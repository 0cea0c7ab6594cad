import { Link } from '@tanstack/react-router'
import { logoContainsName } from '#kit/logo.ts'
import { Mascot } from './mascot.tsx'
import { TierGlyph } from './tier-glyph.tsx'

export interface Brand {
  name: string
  /** False shows a plain glyph instead of the mascot. */
  mascot?: boolean
  /** The uploaded image instead of the built-in mark. */
  logo?: { path: string; width: number; height: number } | null
  contactEmail: string
  socials: readonly { label: string; url: string }[]
}

interface Props {
  brand: Pick<Brand, 'name' | 'mascot' | 'logo'>
  to?: '/' | '/admin/overview'
  /** The width of the mascot in pixels. */
  size?: number
}

export function Logo({ brand, to = '/', size = 38 }: Props) {
  const { logo } = brand
  if (logo)
    return (
      <Link to={to} activeOptions={{ exact: true }} className="logo" activeProps={{}}>
        <img
          className="logo-picture"
          src={logo.path}
          width={logo.width}
          height={logo.height}
          alt={logoContainsName(logo) ? brand.name : ''}
        />
        {!logoContainsName(logo) && <span>{brand.name}</span>}
      </Link>
    )
  return (
    <Link to={to} activeOptions={{ exact: true }} className="logo" activeProps={{}}>
      {brand.mascot !== false ? (
        <Mascot
          tier={2}
          eyes={1}
          size={size}
          look={[-0.2, 0.1]}
          mouth={false}
          lid={0.25}
          skin="var(--bar-ember)"
          horn="var(--bar-mustard)"
        />
      ) : (
        <TierGlyph tier={3} size={size - 4} />
      )}
      <span>{brand.name}</span>
    </Link>
  )
}
