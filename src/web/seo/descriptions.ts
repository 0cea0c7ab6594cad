import type { Site } from '#features/settings/contract.ts'
import type { PublicPath } from '../public-paths.ts'

/** The meta descriptions of the public pages: 120 to 155 characters with the default claims. */
export const descriptions: Record<PublicPath, (site: Pick<Site, 'brand' | 'claims'>) => string> = {
  '/': ({ claims }) =>
    `${claims.liveChannels} live channels from ${claims.countries} countries, movies and sports in HD and 4K on every screen. ${claims.support} support, ${claims.moneyBackDays}-day money back, no contract.`,
  '/channels': ({ claims }) =>
    `Browse the channel lineup by category: movies, sports, news, kids and teams. ${claims.liveChannels} live channels from ${claims.countries} countries in HD and 4K.`,
  '/channels/lineup': ({ claims }) =>
    `The complete lineup: ${claims.totalChannels} channels from ${claims.worldCountries} countries, sports in every season, premium packages and channels that never sign off.`,
  '/pricing': ({ claims }) =>
    `Plans for 1, 3, 6 or 12 months and up to five screens at once. No contract, ${claims.support} support and a ${claims.moneyBackDays}-day money-back guarantee with every plan.`,
  '/devices': ({ brand }) =>
    `Watch ${brand.name} on Fire TV, Android, Apple TV, smart TVs, phones, computers, browsers and set-top boxes: every supported device in one list.`,
  '/faq': ({ brand }) =>
    `Short answers about ${brand.name}: payment and activation, screens and devices, internet speed, catch-up, free trials, refunds and changing plans.`,
  '/contact': ({ brand, claims }) =>
    `Ask ${brand.name} about channels, plans, devices or business pricing, by form, phone or email. Support is there ${claims.support}, and a real person reads every message.`,
  '/setup': ({ brand }) =>
    `Set up ${brand.name} on an Amazon Firestick in four steps: install the app, choose the provider, enter your credentials and start watching.`,
  '/status': ({ brand }) =>
    `Whether ${brand.name} works right now: problems, outages and planned maintenance by channel group, with updates and the history of the last 90 days.`,
  '/terms': ({ brand }) =>
    `The terms of service of ${brand.name}: what a subscription includes, how payment and activation work, changing and ending a plan, and fair use.`,
  '/privacy': ({ brand }) =>
    `Which personal data ${brand.name} keeps about accounts, orders and messages, why and for how long, and how to see, correct or delete yours.`,
  '/refund-policy': ({ brand, claims }) =>
    `The ${claims.moneyBackDays}-day money-back guarantee of ${brand.name}: how to ask for a refund, what you get back and how, and the few cases that are not covered.`,
  '/cookies': ({ brand }) =>
    `Which cookies ${brand.name} sets and which it does not: one for your session, none for advertising or analytics, and the live chat only on request.`,
  '/dmca': ({ brand }) =>
    `How to report a copyright infringement to ${brand.name}: what a complete notice contains, where to send it, and what happens after we receive it.`,
}
