import type { ChannelCategory } from '#features/catalog/contract.ts'
import type { ListedPackage, PanelCategory } from './admin-contract.ts'
import type { PanelKind, Provisioning } from './contract.ts'

/** What an installation starts with: administrators type in what they made on the panel. */
export const noProvisioning: Provisioning = {
  kind: 'manual',
  address: '',
  username: '',
  ca: '',
  server: '',
  graceDays: 3,
  packages: {},
  trialPackage: '',
}

type Make = { kind: PanelKind; name: string; hint: string; address: string; user?: true }
/** The makes of panels in the order they are offered: what the form says of each. */
export const panelMakes: readonly Make[] = [
  { kind: 'manual', name: 'By hand', hint: 'You make each line on your panel and type in what it is.', address: '' },
  {
    kind: 'xui-reseller',
    name: 'XUI or Xtream-Masters, reseller API',
    hint: 'Packages say what a line holds and how long it lasts; each costs credits.',
    address: 'With its access code, such as https://panel.example:8443/code/reseller/index.php',
  },
  {
    kind: 'xui-admin',
    name: 'XUI or XC_VM, admin API',
    hint: 'The key of this API may do everything on your panel: a reseller’s is the safer one.',
    address: 'With its access code, such as https://panel.example:8443/code',
  },
  {
    kind: 'xc-api',
    name: 'Xtream Codes (api.php)',
    hint: 'The panel has to have this server’s address on its list.',
    address: 'Such as https://panel.example:25463',
  },
  {
    kind: 'onestream',
    name: '1-Stream billing API',
    hint: 'Wants a key and the user it belongs to.',
    address: 'Such as https://panel.example',
    user: true,
  },
  {
    kind: 'panel-api',
    name: 'Reseller panel API (api.php, action=new)',
    hint: 'The panel may draw user names and passwords itself. It neither suspends lines nor lists them.',
    address: 'Such as https://panel.example/api.php',
  },
  {
    kind: 'ministra',
    name: 'Ministra or Stalker',
    hint: 'Wants user and password of its REST API. It counts no connections.',
    address: 'Such as https://portal.example',
    user: true,
  },
]

/** `Full, a month · 2 connections · 30 days · 10 credits`; what the panel did not say is left out. */
export function packageText({ name, connections, hours, credits, trial }: ListedPackage): string {
  const length =
    hours === null
      ? ''
      : hours % 24 === 0
        ? `${hours / 24} ${hours === 24 ? 'day' : 'days'}`
        : hours > 48
          ? `${Math.round(hours / 24)} days`
          : `${hours} hours`
  const parts = [
    name,
    connections === null ? '' : `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    length,
    credits === null ? '' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`,
    trial ? 'trial' : '',
  ]
  return parts.filter(Boolean).join(' · ')
}

/** As many channels as the public lineup takes from one import; more are added out of sight. */
export const mostShownAtOnce = 1_000

// In the order in which they count: a team's league before sports, adult content nowhere.
const belongs: [RegExp, ChannelCategory | null][] = [
  [/\b(adults?|x{3}|18\+)/i, null],
  [/\bnba\b|basketball/i, 'nba_teams'],
  [/\bnfl\b/i, 'nfl_teams'],
  [/\bnhl\b|hockey/i, 'nhl_teams'],
  [/soccer|\bepl\b|premier league|la ?liga|bundesliga|serie a|ligue 1|\bmls\b|champions league|f[uú]tbol/i, 'soccer'],
  [/sport|ppv|boxing|\bufc\b|wrestling|racing|golf|tennis|cricket|events?\b/i, 'sports'],
  [/movie|cinema|film/i, 'movies'],
  [/news/i, 'news'],
  [/kids?\b|child|cartoon|family/i, 'kids'],
  [/entertainment|general|series|comedy|drama|document|lifestyle|music/i, 'entertainment'],
  [
    /international|latino|arab|african|asia|europe|france|german|ital|spain|portug|turk|india|brazil|polsk|poland/i,
    'international',
  ],
]
/** Where a panel's category seems to belong, told by its name; null where nothing tells. */
export const suggestedCategory = (name: string): ChannelCategory | null =>
  belongs.find(([pattern]) => pattern.test(name))?.[1] ?? null

/** `1 channel`, `32 channels`. */
export const channelsOf = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'channel' : 'channels'}`

export type Choice = Record<string, ChannelCategory | null>
/** A choice as it is sent: for each category of ours the panel's, separated by commas. */
export function chosenIds(choice: Choice): Partial<Record<ChannelCategory, string>> {
  const ids: Partial<Record<ChannelCategory, string>> = {}
  for (const [id, ours] of Object.entries(choice))
    if (ours) ids[ours] = ids[ours] === undefined ? id : `${ids[ours]},${id}`
  return ids
}

/** What a choice would do, all categories together. */
export function sumOf(categories: readonly PanelCategory[], choice: Choice) {
  const sum = { add: 0, map: 0, known: 0, double: 0, skipped: 0 }
  for (const { id, counts } of categories) {
    const fates = ['add', 'map', 'known', 'double'] as const
    for (const fate of fates) sum[choice[id] ? fate : 'skipped'] += counts[fate]
  }
  return sum
}

type Logos = { fromPanel: boolean; waiting: number; kept: number; failed: number; failure: string | null }
/** How far fetching the logos has come, and what is shown. */
export function logosText({ fromPanel, waiting, kept, failed, failure }: Logos): string {
  const all = waiting + kept + failed
  if (all === 0)
    return fromPanel ? 'The next import fetches them. Until then channels show marks drawn from their names.' : ''
  if (!fromPanel)
    return `Channels show marks drawn from their names. ${kept} of the panel’s logos are kept for when you switch this on again.`
  const parts = [
    `${kept} of ${all} logos are here.`,
    waiting > 0 ? `${waiting} are being fetched.` : '',
    failed > 0 ? `${failed} could not be used, and their channels keep the drawn mark. The last one: ${failure}` : '',
  ]
  return parts.filter(Boolean).join(' ')
}
