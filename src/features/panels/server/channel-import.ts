import type { ChannelCategory } from '#features/catalog/contract.ts'
import { type Fate, importChannels, importFates, type PanelChannel } from '#features/catalog/server/service/import-channels.ts'
import type { IptvCredentials } from '#features/iptv/contract.ts'
import { outcomes } from '#features/iptv/rules.ts'
import type { PlayerCategory, PlayerStream } from '#features/lines/server/player/channel-lists.ts'
import { Player, type Told } from '#features/lines/server/player/player.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { conflict, invalid, Refusal } from '#server/errors.ts'
import type { House } from '#server/http.ts'
import type { importPanelChannels, previewChannelImport } from '../admin-contract.ts'
import { mostShownAtOnce, suggestedCategory } from '../rules.ts'
import { panelAt } from './panel-at.ts'

type Asking = Pick<House, 'config' | 'db'>
type Lists = { categories: PlayerCategory[]; channels: (PlayerStream & { categoryId: string })[]; radio: number; unnamed: number }
const noCategory: PlayerCategory = { id: 'none', name: 'Without a category' }
const shownNames = 4

async function playerOf({ config, db }: Asking, { iptvUsername: username, iptvPassword: password }: IptvCredentials): Promise<Player> {
  const panel = panelAt(config, await settings.read(db, 'provisioning'))
  return panel
    ? new Player(panel, { username, password })
    : conflict('no_panel', 'No IPTV service is connected yet: set PANEL_URL, or the server under Settings, Provisioning.')
}

function toldOf<T>(heard: Told<T>): T {
  if (heard.ok) return heard.told
  if (outcomes[heard.outcome].kind === 'refused') return invalid('iptvPassword', heard.message)
  throw new Refusal(503, `panel_${heard.outcome}`, heard.message)
}

/** Everything live that the line may watch. A stream in several categories stands in the first that the panel names. */
async function listsOf(house: Asking, credentials: IptvCredentials): Promise<Lists> {
  const player = await playerOf(house, credentials)
  const [told, streams] = await Promise.all([player.categories(), player.streams()])
  const categories = [...toldOf(told), noCategory]
  const known = new Set(categories.map(({ id }) => id))
  const all = toldOf(streams)
  const live = all.filter(({ kind }) => kind === 'live')
  const named = live.filter(({ name, streamId }) => name !== '' && streamId.length <= 64)
  const channels = named.map((stream) => ({ ...stream, categoryId: stream.categoryIds.find((id) => known.has(id)) ?? noCategory.id }))
  return { categories, channels, radio: all.length - live.length, unnamed: live.length - named.length }
}

/** What each of the panel's categories would add to the catalogue as it is; nothing is changed. Throws 400, 409 or 503 where there is no list. */
export async function previewImport(house: Asking, credentials: IptvCredentials): Promise<Output<typeof previewChannelImport>> {
  const { categories, channels, radio, unnamed } = await listsOf(house, credentials)
  const fateOf = await importFates(house.db)
  const found = new Map(categories.map(({ id, name }) => [id, { id, name, counts: noCounts(), names: [] as string[], suggested: suggestedCategory(name) }]))
  for (const { streamId, name, categoryId } of channels) {
    const { counts, names } = found.get(categoryId)!
    const { fate } = fateOf(streamId, name)
    counts[fate]++
    if (fate === 'add' && names.length < shownNames) names.push(name)
  }
  return { categories: [...found.values()].filter(({ counts }) => Object.values(counts).some((count) => count > 0)), radio, unnamed }
}

/** Adds the chosen categories' channels, in one transaction. Throws like `previewImport`, and 400 for more than the lineup takes at once. */
export async function importFromPanel(
  house: Asking,
  { categories: chosen, show, ...credentials }: Input<typeof importPanelChannels>['body'],
  editor: { id: number; requestId: string },
): Promise<Output<typeof importPanelChannels>> {
  const categoryOf = new Map(Object.entries(chosen).flatMap(([ours, ids]) => ids.split(',').map((id) => [id, ours as ChannelCategory] as const)))
  const { fromPanel: takes } = await settings.read(house.db, 'logos')
  const { channels, radio, unnamed } = await listsOf(house, credentials)
  const wanted: PanelChannel[] = channels.flatMap(({ streamId, name, icon, categoryId }) => {
    const category = categoryOf.get(categoryId)
    return category ? [{ stream: streamId, name, category, icon: takes && fetchable(icon, credentials) }] : []
  })
  if (show && wanted.length > mostShownAtOnce)
    return invalid('show', `The lineup takes at most ${mostShownAtOnce} channels at once. Please add them out of sight, or choose fewer categories.`)
  const counts = await importChannels(house.db, wanted, { hidden: !show }, editor)
  return { counts, skipped: channels.length - wanted.length + radio + unnamed }
}

const noCounts = (): Record<Fate, number> => ({ add: 0, map: 0, known: 0, double: 0 })

/** An address worth keeping: one of the web, and none that holds what the line is known by. */
function fetchable(icon: string | null, { iptvUsername, iptvPassword }: IptvCredentials): string | null {
  const url = icon === null || icon.length > 1_000 ? null : URL.parse(icon)
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') return null
  url.hash = ''
  const holds = [iptvPassword, encodeURIComponent(iptvPassword), `/${encodeURIComponent(iptvUsername)}/`, `=${encodeURIComponent(iptvUsername)}`]
  return holds.some((secret) => url.href.includes(secret)) ? null : url.href
}
