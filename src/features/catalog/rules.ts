import type { Channel, ChannelCategory, DeviceIcon, Plan } from './contract.ts'

export type Tier = 1 | 2 | 3 | 4
/** The four plan groups with their names, durations and captions (specification 2, Pricing). */
export const tiers: {
  tier: Tier
  slug: string
  name: string
  months: number
  caption: string
  billing: string
  blurb: string
}[] = [
  {
    tier: 1,
    slug: 'little-beast',
    name: 'Little Beast',
    months: 1,
    caption: 'per month',
    billing: 'month',
    blurb: 'Try it for a month. Leave whenever you like.',
  },
  {
    tier: 2,
    slug: 'beast',
    name: 'Beast',
    months: 3,
    caption: 'for 3 months',
    billing: '3 months',
    blurb: 'A whole season of sports, series and films.',
  },
  {
    tier: 3,
    slug: 'big-beast',
    name: 'Big Beast',
    months: 6,
    caption: 'for 6 months',
    billing: '6 months',
    blurb: 'Half a year of television for a smaller monthly bite.',
  },
  {
    tier: 4,
    slug: 'the-beast',
    name: 'The Beast',
    months: 12,
    caption: 'for 12 months',
    billing: '12 months',
    blurb: 'A full year at the lowest monthly price.',
  },
]

export const tierOf = (plan: Pick<Plan, 'tier'>) => tiers.find((t) => t.tier === plan.tier) ?? tiers[0]!

/** Returns the plan groups with the names that the operator gave them (`brand.plans` of the site settings). */
export const namedTiers = (names: readonly string[]) =>
  tiers.map((each, at) => ({ ...each, name: names[at] ?? each.name }))

/** Returns the plans of one group, fewest connections first. */
export const plansOfTier = (plans: Plan[], tier: Tier): Plan[] =>
  plans.filter((p) => p.tier === tier).sort((a, b) => a.connections - b.connections)

/** Returns the noun for a plan: "Beast" while the plan groups have the names of the specification, otherwise "Plan". */
const planNoun = (names: readonly string[]) => (tiers.every(({ name }, at) => name === names[at]) ? 'Beast' : 'Plan')
export const pricingTitle = (names: readonly string[]) => `Choose Your ${planNoun(names)}`
/** Returns the title and the lead of the pricing section. */
export function pricingHead({ length }: unknown[], names: readonly string[]): { title: string; lead: string } {
  const noun = planNoun(names)
  return {
    title: pricingTitle(names),
    lead:
      length > 0
        ? `Four sizes, one appetite. Longer ${noun.toLowerCase()}s cost less per month. No long-term contracts.`
        : 'Plans are coming soon.',
  }
}

/** `1 Connection`, `4 Connections`. */
export const connectionLabel = (connections: number): string =>
  `${connections} ${connections === 1 ? 'Connection' : 'Connections'}`

/**
 * Returns the name of a plan: the name of its group and the connections (`Little Beast: 2 Connections`, `Beast: 3 Months, 1 Connection`). `names` are
 * the names of the four groups, by default those of the specification.
 */
export function planName(tier: Tier, connections: number, names: readonly string[] = []): string {
  const { name, months } = namedTiers(names).find((each) => each.tier === tier)!
  return months === 1
    ? `${name}: ${connectionLabel(connections)}`
    : `${name}: ${months} Months, ${connectionLabel(connections)}`
}

/** Returns the saving of a group compared with the monthly price, in whole percent rounded down; 0 when the prices cannot be compared. */
export function savingPercent(plans: Plan[], tier: Tier): number {
  const monthly = plansOfTier(plans, 1)[0]
  const longer = plansOfTier(plans, tier)[0]
  if (!monthly || !longer || monthly.price === 0 || monthly.connections !== longer.connections) return 0
  return Math.max(0, Math.floor(100 - (100 * longer.price) / (monthly.price * longer.months)))
}

export const channelCategories: { id: ChannelCategory; name: string }[] = [
  { id: 'entertainment', name: 'Entertainment' },
  { id: 'movies', name: 'Movies' },
  { id: 'sports', name: 'Sports' },
  { id: 'nba_teams', name: 'NBA Teams' },
  { id: 'nfl_teams', name: 'NFL Teams' },
  { id: 'nhl_teams', name: 'NHL Teams' },
  { id: 'soccer', name: 'Soccer' },
  { id: 'news', name: 'News' },
  { id: 'kids', name: 'Kids' },
  { id: 'international', name: 'International' },
]

export type ChannelFilter = ChannelCategory | 'all'
/** The tabs of the lineup in order (specification 2, Channels). */
export const channelFilters: { id: ChannelFilter; name: string }[] = [{ id: 'all', name: 'All' }, ...channelCategories]
/** Returns the filter with this id; `all` for an unknown id. */
export const channelFilter = (requested: unknown): ChannelFilter =>
  channelFilters.find(({ id }) => id === requested)?.id ?? 'all'

export const categoryName = (category: ChannelCategory): string =>
  channelCategories.find(({ id }) => id === category)!.name

/** The categories with team channels. The lineup shows their counts. */
export const teamCategories: ChannelCategory[] = ['nba_teams', 'nfl_teams', 'nhl_teams', 'soccer']

/** Returns the channels grouped by category, in the order of the tabs, without empty categories. */
export const channelGroups = (channels: Channel[]): { id: ChannelCategory; name: string; channels: Channel[] }[] =>
  channelCategories
    .map((category) => ({ ...category, channels: channels.filter((channel) => channel.category === category.id) }))
    .filter((group) => group.channels.length > 0)

/** `1 channel`, `32 channels`. */
export const channelCount = (count: number): string => `${count} ${count === 1 ? 'channel' : 'channels'}`

/** Returns a claim without its plus sign, for a sentence with "over": `10,000+` becomes `10,000`. */
export const withoutPlus = (claim: string): string => claim.replace(/\+$/, '')

export type PreviewKind = 'stream' | 'video' | 'picture'
/** Returns the kind of a preview by its file extension; null without a preview. */
export function previewKind(address: string | null): PreviewKind | null {
  if (!address) return null
  const path = address.replace(/[?#].*$/, '')
  if (/\.m3u8$/i.test(path)) return 'stream'
  return /\.(avif|gif|jpe?g|png|svg|webp)$/i.test(path) ? 'picture' : 'video'
}

/** The allowed icons of a device category, by their Lucide names. */
export const deviceIcons: readonly DeviceIcon[] = [
  'flame',
  'smartphone',
  'tablet',
  'tv',
  'laptop',
  'globe',
  'router',
  'cast',
]
/** Returns the icon with this name; `tv` for an unknown name. */
export const deviceIconOf = (name: string): DeviceIcon => deviceIcons.find((icon) => icon === name) ?? 'tv'

/** How many channels one import may show in the public lineup; larger imports must be hidden. */
export const maxShownPerImport = 1_000

/** `1 channel`, `25,000 channels`. */
export const channelCountText = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'channel' : 'channels'}`
