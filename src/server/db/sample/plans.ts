import { planName, type Tier, tiers } from '#features/catalog/rules.ts'
import { defaults } from '#features/settings/rules.ts'
import type { plans } from '../tables.ts'

/** Prices in cents for 1 to 5 connections. Longer plans cost less per month, and each further connection costs less than the previous one. */
const prices: Record<Tier, number[]> = {
  1: [1499, 2299, 2999, 3599, 4099],
  2: [3899, 5999, 7799, 9399, 10899],
  3: [6999, 10799, 14199, 17199, 19799],
  4: [11999, 18499, 24399, 29599, 33999],
}
const popularConnections = 2

const { claims } = defaults.site
/** The same attributes in the same order on every card, so that plans can be compared. */
const featuresFor = (connections: number): string[] => [
  `${claims.liveChannels} live channels`,
  connections === 1 ? '1 screen at a time' : `${connections} screens at once`,
  'HD & 4K quality',
  `${claims.catchUpDays}-day catch-up on select premium channels`,
  'Movies and shows included',
  'All supported devices',
  'No geo-restrictions',
  `${claims.support} support`,
  `${claims.moneyBackDays}-day money back`,
]

/** Twenty plans: four groups, each with plans for one to five connections. */
export const samplePlans: (typeof plans.$inferInsert)[] = tiers.flatMap(({ tier, months, billing }) =>
  prices[tier].map((price, index) => {
    const connections = index + 1
    return {
      name: planName(tier, connections),
      tier,
      months,
      connections,
      price,
      billing,
      features: featuresFor(connections),
      popular: connections === popularConnections,
    }
  }),
)
