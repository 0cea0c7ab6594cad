import type { Faq, Plan } from '#features/catalog/contract.ts'
import { connectionLabel, tierOf } from '#features/catalog/rules.ts'
import type { Site } from '#features/settings/contract.ts'
import { plainDollars } from '#kit/money.ts'
import type { PublicPath } from '../public-paths.ts'

type Thing = { '@type': string; [property: string]: unknown }
/** `name` is the page's title without the brand. */
export type PageFacts = { path: PublicPath; name: string; site: Site; origin: string; plans: Plan[]; faqs: Faq[] }

const pages: Partial<Record<PublicPath, (facts: PageFacts) => Thing[]>> = {
  '/': ({ site, origin }) => [organization(site, origin), website(site, origin)],
  '/pricing': (facts) => [returnPolicy(facts), ...facts.plans.map((plan) => product(plan, facts))],
  '/faq': ({ faqs, origin }) => [
    {
      '@type': 'FAQPage',
      url: `${origin}/faq`,
      mainEntity: faqs.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    },
  ],
  '/contact': ({ site, origin, name }) => [
    { '@type': 'ContactPage', name, url: `${origin}/contact`, mainEntity: organization(site, origin) },
  ],
}

/** Returns the schema.org graph of a public page. It contains only facts that the page also shows. */
export function structuredData(facts: PageFacts): { '@context': string; '@graph': Thing[] } {
  const things = [...(pages[facts.path]?.(facts) ?? []), ...(facts.path === '/' ? [] : [breadcrumbs(facts)])]
  return { '@context': 'https://schema.org', '@graph': things }
}

const organization = ({ brand, contact, socials, icons }: Site, origin: string): Thing => ({
  '@type': 'Organization',
  '@id': `${origin}/#organization`,
  name: brand.name,
  url: `${origin}/`,
  logo: origin + icons.large,
  contactPoint: {
    '@type': 'ContactPoint',
    contactType: 'customer support',
    telephone: contact.phone,
    email: contact.email,
    availableLanguage: 'en',
  },
  ...(socials.length > 0 && { sameAs: socials.map((social) => social.url) }),
})

const website = ({ brand }: Site, origin: string): Thing => ({
  '@type': 'WebSite',
  '@id': `${origin}/#website`,
  name: brand.name,
  url: `${origin}/`,
  inLanguage: 'en',
  publisher: { '@id': `${origin}/#organization` },
})

const returnPolicy = ({ site, origin }: PageFacts): Thing => ({
  '@type': 'MerchantReturnPolicy',
  '@id': `${origin}/refund-policy#policy`,
  applicableCountry: 'US',
  returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
  merchantReturnDays: site.claims.moneyBackDays,
  merchantReturnLink: `${origin}/refund-policy`,
})

/** The price is the total for the period, as on the plan card. */
function product(plan: Plan, { site, origin }: PageFacts): Thing {
  const { tier, slug } = tierOf(plan)
  const price = plainDollars(plan.price)
  return {
    '@type': 'Product',
    name: `${site.brand.name} ${site.brand.plans[tier - 1]} – ${connectionLabel(plan.connections)}`,
    description: plan.features.join(', '),
    image: `${origin}/og/pricing.png`,
    brand: { '@type': 'Brand', name: site.brand.name },
    offers: {
      '@type': 'Offer',
      url: `${origin}/pricing?tier=${slug}`,
      priceCurrency: 'USD',
      price,
      availability: 'https://schema.org/InStock',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price,
        priceCurrency: 'USD',
        billingDuration: plan.months,
        billingIncrement: 1,
        unitCode: 'MON',
      },
      hasMerchantReturnPolicy: { '@id': `${origin}/refund-policy#policy` },
    },
  }
}

function breadcrumbs({ path, name, site, origin }: PageFacts): Thing {
  const steps = [
    { name: site.brand.name, item: `${origin}/` },
    ...(path === '/channels/lineup' ? [{ name: 'Channel lineup', item: `${origin}/channels` }] : []),
    { name, item: origin + path },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
  }
}
