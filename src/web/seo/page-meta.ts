import { defaultBrand } from '#features/settings/brand-rules.ts'
import type { Site } from '#features/settings/contract.ts'
import type { PublicPath } from '../public-paths.ts'
import { descriptions } from './descriptions.ts'

export type Meta = { name?: string; property?: string; content?: string }

type Picture = { file: string; side?: number; alt: string }
/** Pictures that `scripts/make-images.ts` generates: without a brand name, but with the default mascot, texts and color. */
const pictures: Partial<Record<PublicPath, Picture>> = {
  '/pricing': { file: '/og/pricing.png', alt: 'Four beasts, small to large, below the words Choose Your Beast' },
}
const homePicture: Picture = {
  file: '/og/home.png',
  alt: 'A three-eyed beast in front of a wall of channels, beside the words Unlimited Entertainment at Your Fingertips',
}

/** Returns the picture for link previews. The generated pictures show the default brand, so a changed brand uses its icon. */
function pictureOf(path: PublicPath, { brand, icons }: Site): Picture {
  const { mascot, hue, headline, plans } = defaultBrand
  const isStandard =
    brand.mascot === mascot &&
    brand.hue === hue &&
    brand.headline === headline &&
    brand.plans.every((name, at) => name === plans[at])
  return isStandard ? (pictures[path] ?? homePicture) : { file: icons.large, side: 512, alt: brand.name }
}

/** Returns the description, Open Graph and Twitter card entries of a public page. `title` is the full page title, `origin` the configured site origin. */
export function pageMeta(path: PublicPath, title: string, site: Site, origin: string): Meta[] {
  const description = descriptions[path](site)
  const { file, side, alt } = pictureOf(path, site)
  return [
    { name: 'description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: site.brand.name },
    { property: 'og:locale', content: 'en_US' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: origin + path },
    { property: 'og:image', content: origin + file },
    { property: 'og:image:type', content: 'image/png' },
    { property: 'og:image:width', content: String(side ?? 1200) },
    { property: 'og:image:height', content: String(side ?? 630) },
    { property: 'og:image:alt', content: alt },
    { name: 'twitter:card', content: side ? 'summary' : 'summary_large_image' },
    { name: 'twitter:image:alt', content: alt },
  ]
}
