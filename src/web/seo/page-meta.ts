import type { Site } from '#features/settings/contract.ts'
import type { PublicPath } from '../public-paths.ts'
import { descriptions } from './descriptions.ts'

export type Meta = { name?: string; property?: string; content?: string }

/** Made by `scripts/make-images.ts`; no brand stands in them. */
const images: Partial<Record<PublicPath, { file: string; alt: string }>> = {
  '/pricing': { file: '/og/pricing.png', alt: 'Four beasts, small to large, below the words Choose Your Beast' },
}
const image = {
  file: '/og/home.png',
  alt: 'A three-eyed beast in front of a wall of channels, beside the words Unlimited Entertainment at Your Fingertips',
}

/** Description, Open Graph and Twitter card of a public page. `title` is the page's whole title, `origin` the operator's. */
export function pageMeta(path: PublicPath, title: string, site: Site, origin: string): Meta[] {
  const description = descriptions[path](site)
  const { file, alt } = images[path] ?? image
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
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: alt },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:image:alt', content: alt },
  ]
}
