import type { ChannelCategory } from '#features/catalog/contract.ts'
import type { IptvCredentials } from '#features/iptv/contract.ts'
import { outcomes } from '#features/iptv/rules.ts'
import type { PlayerCategory, PlayerStream } from '#features/iptv/server/xtream/channel-lists.ts'
import { playerPanel } from '#features/iptv/server/xtream/player-address.ts'
import { XtreamPlayer, type PlayerResult } from '#features/iptv/server/xtream/player-client.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { conflict, invalid, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { inChunks } from '#server/overload/in-chunks.ts'
import type { importPanelChannels, previewChannelImport } from '../../admin-contract.ts'
import { channelCountText, maxShownPerImport } from '../../rules.ts'
import { type ImportOutcome, addChannels, classifyStreams, type PanelChannel } from './add-channels.ts'
import { cleanName, isSeparator } from './channel-names.ts'
import { suggestCategory } from './suggest-category.ts'

type Asking = Pick<AppContext, 'config' | 'db'>
type Channel = Pick<PlayerStream, 'streamId' | 'name' | 'icon'> & { categoryId: string; raw: string }
type Lists = {
  categories: PlayerCategory[]
  channels: Channel[]
  radio: number
  unnamed: number
  separators: { count: number; names: string[] }
}
const noCategory: PlayerCategory = { id: 'none', name: 'Without a category' }
const shownNames = 4
const shownChanges = 8

async function playerOf(
  { config, db }: Asking,
  { iptvUsername: username, iptvPassword: password }: IptvCredentials,
): Promise<XtreamPlayer> {
  const panel = playerPanel(config, await settings.read(db, 'provisioning'))
  return panel
    ? new XtreamPlayer(panel, { username, password })
    : conflict(
        'no_panel',
        'No IPTV service is connected yet: set PANEL_URL, or the server under Settings, Provisioning.',
      )
}

function toldOf<T>(heard: PlayerResult<T>): T {
  if (heard.ok) return heard.told
  if (heard.outcome === 'too_many') return conflict('too_many_channels', heard.message)
  if (outcomes[heard.outcome].kind === 'refused') return invalid('iptvPassword', heard.message)
  throw new Refusal(503, `panel_${heard.outcome}`, heard.message)
}

/** Everything live that the line may watch, under clean names and without headings. A stream in several categories belongs to the first that the panel names. */
async function listsOf(house: Asking, credentials: IptvCredentials): Promise<Lists> {
  const player = await playerOf(house, credentials)
  const [told, streams] = await Promise.all([player.categories(), player.streams()])
  const categories = [...toldOf(told), noCategory]
  const known = new Set(categories.map(({ id }) => id))
  const lists: Lists = { categories, channels: [], radio: 0, unnamed: 0, separators: { count: 0, names: [] } }
  await inChunks(toldOf(streams), ({ kind, name: raw, streamId, icon, categoryIds }) => {
    if (kind !== 'live') lists.radio++
    else if (raw === '' || streamId.length > 64) lists.unnamed++
    else if (isSeparator(raw)) {
      lists.separators.count++
      if (lists.separators.names.length < shownNames) lists.separators.names.push(raw)
    } else
      lists.channels.push({
        streamId,
        raw,
        name: cleanName(raw),
        icon,
        categoryId: categoryIds.find((id) => known.has(id)) ?? noCategory.id,
      })
  })
  return lists
}

/** What each of the panel's categories would add to the catalogue as it is; nothing is changed. Throws 400, 409 or 503 where there is no list. */
export async function previewImport(
  house: Asking,
  credentials: IptvCredentials,
): Promise<Output<typeof previewChannelImport>> {
  const { categories, channels, radio, unnamed, separators } = await listsOf(house, credentials)
  const fateOf = await classifyStreams(house.db)
  const found = new Map(
    categories.map(({ id, name }) => [
      id,
      { id, name, counts: noCounts(), names: [] as string[], suggested: suggestCategory(name) },
    ]),
  )
  const renamed = { count: 0, examples: [] as { from: string; to: string }[] }
  await inChunks(channels, ({ streamId, raw, name, categoryId }) => {
    const { counts, names } = found.get(categoryId)!
    const { fate } = fateOf(streamId, name)
    counts[fate]++
    if (fate !== 'add') return
    if (names.length < shownNames) names.push(name)
    if (name === raw) return
    renamed.count++
    if (renamed.examples.length < shownChanges) renamed.examples.push({ from: raw, to: name })
  })
  const shown = [...found.values()].filter(({ counts }) => Object.values(counts).some((count) => count > 0))
  return { categories: shown, radio, unnamed, separators, renamed, most: limits.player.mostImported }
}

/** Adds the chosen categories' channels, in one transaction. Throws like `previewImport`, and 400 for more than one import or the lineup takes. */
export async function importFromPanel(
  house: Asking,
  { categories: chosen, show, ...credentials }: Input<typeof importPanelChannels>['body'],
  editor: { id: number; requestId: string },
): Promise<Output<typeof importPanelChannels>> {
  const categoryOf = new Map(
    Object.entries(chosen).flatMap(([ours, ids]) => ids.split(',').map((id) => [id, ours as ChannelCategory] as const)),
  )
  const { fromPanel: takes } = await settings.read(house.db, 'logos')
  const { channels, radio, unnamed, separators } = await listsOf(house, credentials)
  const wanted: PanelChannel[] = []
  await inChunks(channels, ({ streamId, name, icon, categoryId }) => {
    const category = categoryOf.get(categoryId)
    if (category) wanted.push({ stream: streamId, name, category, icon: takes && fetchable(icon, credentials) })
  })
  const most = limits.player.mostImported
  if (wanted.length > most)
    return invalid(
      'categories',
      `One import adds at most ${channelCountText(most)}, and ${wanted.length.toLocaleString('en-US')} are chosen. Please choose fewer categories.`,
    )
  if (show && wanted.length > maxShownPerImport)
    return invalid(
      'show',
      `The lineup takes at most ${maxShownPerImport} channels at once. Please add them out of sight, or choose fewer categories.`,
    )
  const counts = await addChannels(house.db, wanted, { hidden: !show }, editor)
  return { counts, skipped: channels.length - wanted.length + radio + unnamed + separators.count }
}

const noCounts = (): Record<ImportOutcome, number> => ({ add: 0, map: 0, known: 0, double: 0 })

/** An address worth keeping: one of the web, and none that holds what the line is known by. */
function fetchable(icon: string | null, { iptvUsername, iptvPassword }: IptvCredentials): string | null {
  const url = icon === null || icon.length > 1_000 ? null : URL.parse(icon)
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') return null
  url.hash = ''
  const holds = [
    iptvPassword,
    encodeURIComponent(iptvPassword),
    `/${encodeURIComponent(iptvUsername)}/`,
    `=${encodeURIComponent(iptvUsername)}`,
  ]
  return holds.some((secret) => url.href.includes(secret)) ? null : url.href
}
