import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Plan } from '#features/catalog/contract.ts'
import { defaults, iconsOf } from '#features/settings/rules.ts'
import { publicPaths } from '../public-paths.ts'
import { descriptions } from './descriptions.ts'
import { pageMeta } from './page-meta.ts'
import { structuredData } from './structured-data.ts'

const site = {
  ...defaults.site,
  paymentMarks: [],
  watching: false,
  listings: false,
  icons: iconsOf(defaults.site.brand),
}
const origin = 'https://tv.example'
const plan: Plan = {
  id: 7,
  name: 'Beast: 3 Months, 2 Connections',
  tier: 2,
  months: 3,
  connections: 2,
  price: 5905,
  billing: '3 months',
  features: ['2 screens at once', 'HD & 4K quality'],
  popular: true,
}
const facts = {
  name: 'A page',
  site,
  origin,
  plans: [plan],
  faqs: [{ id: 1, question: 'Why?', answer: 'Because.', order: 1 }],
}
const typesOf = (path: (typeof publicPaths)[number]) =>
  structuredData({ ...facts, path })['@graph'].map((thing) => thing['@type'])

describe('descriptions', () => {
  test.each(publicPaths)('%s is described in 120 to 155 characters', (path) => {
    const { length } = descriptions[path](site)
    expect(length).toBeGreaterThanOrEqual(120)
    expect(length).toBeLessThanOrEqual(155)
  })

  test('are unique', () => {
    expect(new Set(publicPaths.map((path) => descriptions[path](site))).size).toBe(publicPaths.length)
  })

  test('contain the claims from the settings', () => {
    const claims = { ...site.claims, moneyBackDays: 31, liveChannels: '12,345+' }
    expect(descriptions['/']({ ...site, claims })).toContain('12,345+')
    expect(descriptions['/refund-policy']({ ...site, claims })).toContain('31-day')
  })
})

test('link previews get absolute URLs on the configured origin, without a query', () => {
  for (const path of publicPaths) {
    const addresses = pageMeta(path, 'A title', site, origin).filter(
      ({ property }) => property === 'og:url' || property === 'og:image',
    )
    expect(addresses.map(({ content }) => content)).toEqual([
      origin + path,
      expect.stringMatching(/^https:\/\/tv\.example\/og\/\w+\.png$/),
    ])
  }
})

test('preview images are 1200 by 630 pixels and at most 150 kB', () => {
  const files = publicPaths.map(
    (path) => pageMeta(path, 'A title', site, '').find(({ property }) => property === 'og:image')!.content!,
  )
  for (const file of new Set(files)) {
    const png = readFileSync(new URL(`../../../public${file}`, import.meta.url))
    expect([png.readUInt32BE(16), png.readUInt32BE(20)], file).toEqual([1200, 630])
    expect(png.length, file).toBeLessThanOrEqual(150_000)
  }
})

describe('structured data', () => {
  test('describes the subject of each page, with breadcrumbs on all pages but home', () => {
    expect(typesOf('/')).toEqual(['Organization', 'WebSite'])
    expect(typesOf('/pricing')).toEqual(['MerchantReturnPolicy', 'Product', 'BreadcrumbList'])
    expect(typesOf('/faq')).toEqual(['FAQPage', 'BreadcrumbList'])
    expect(typesOf('/contact')).toEqual(['ContactPage', 'BreadcrumbList'])
    for (const path of ['/channels', '/devices', '/setup', '/terms'] as const)
      expect(typesOf(path)).toEqual(['BreadcrumbList'])
  })

  test('offers a plan at the price on its card, for its number of months', () => {
    const product = structuredData({ ...facts, path: '/pricing' })['@graph'].find(
      (thing) => thing['@type'] === 'Product',
    )
    expect(product).toMatchObject({
      name: 'SauceTV Beast – 2 Connections',
      offers: {
        price: '59.05',
        priceCurrency: 'USD',
        url: `${origin}/pricing?tier=beast`,
        priceSpecification: { price: '59.05', billingDuration: 3 },
      },
    })
    expect(product).not.toHaveProperty('aggregateRating')
  })

  test('puts the channels page into the breadcrumbs of the complete lineup', () => {
    const [breadcrumbs] = structuredData({ ...facts, path: '/channels/lineup' })['@graph']
    const steps = breadcrumbs!.itemListElement as { position: number; item: string }[]
    expect(steps.map(({ position, item }) => [position, item])).toEqual([
      [1, `${origin}/`],
      [2, `${origin}/channels`],
      [3, `${origin}/channels/lineup`],
    ])
  })

  test('lists social profiles only when there are some', () => {
    const organization = (socials: typeof site.socials) =>
      structuredData({ ...facts, site: { ...site, socials }, path: '/' })['@graph'][0]
    expect(organization([])).not.toHaveProperty('sameAs')
    expect(organization([{ label: 'Video', url: 'https://video.example/us' }])).toHaveProperty('sameAs', [
      'https://video.example/us',
    ])
  })
})
