import type { ChannelCategory } from '#features/catalog/contract.ts'
import type { IptvCredentials } from '#features/iptv/contract.ts'
import { outcomes } from '#features/iptv/rules.ts'
import type { PlayerCategory, PlayerStream } from '#features/iptv/server/xtream/channel-lists.ts'
import { playerPanel } from '#features/iptv/server/xtream/player-address.ts'
import { type PlayerResult, XtreamPlayer } from '#features/iptv/server/xtream/player-client.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { withoutControlCharacters } from '#kit/text.ts'
import { conflict, invalid, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { inChunks } from '#server/overload/in-chunks.ts'
import type { importPanelChannels, previewChannelImport } from '../../admin-import-contract.ts'
import { channelCountText, maxShownPerImport } from '../../rules.ts'
import { addChannels, classifyStreams, type ImportOutcome, type PanelChannel } from './add-channels.ts'
import { cleanName, isSeparator } from './channel-names.ts'
import { suggestCategory } from './suggest-category.ts'

type Context = Pick<AppContext, 'config' | 'db'>
type Channel = Pick<PlayerStream, 'streamId' | 'name' | 'icon' | 'archiveDays' | 'number'> & {
  categoryId: string
  raw: string
  epgId: string
}
type PanelLineup = {
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
  { config, db }: Context,
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

/** Returns the list of a successful result. Throws 409 for too many entries, 400 for refused credentials, and 503 for other failures. */
function listOf<T>(result: PlayerResult<T>): T {
  if (result.ok) return result.value
  if (result.outcome === 'too_many') return conflict('too_many_channels', result.message)
  if (outcomes[result.outcome].kind === 'refused') return invalid('iptvPassword', result.message)
  throw new Refusal(503, `panel_${result.outcome}`, result.message)
}

/** Returns all live channels that the line may watch, with cleaned names and without separators. A stream in several categories is assigned to the first. */
async function readLineup(context: Context, credentials: IptvCredentials): Promise<PanelLineup> {
  const player = await playerOf(context, credentials)
  const [found, streams] = await Promise.all([player.categories(), player.streams()])
  const categories = [...listOf(found), noCategory]
  const known = new Set(categories.map(({ id }) => id))
  const lineup: PanelLineup = { categories, channels: [], radio: 0, unnamed: 0, separators: { count: 0, names: [] } }
  await inChunks(listOf(streams), (stream) => {
    const { kind, name: raw, streamId, icon, categoryIds, epgChannelId, archiveDays, number } = stream
    if (kind !== 'live') lineup.radio++
    else if (raw === '' || streamId.length > 64) lineup.unnamed++
    else if (isSeparator(raw)) {
      lineup.separators.count++
      if (lineup.separators.names.length < shownNames) lineup.separators.names.push(raw)
    } else
      lineup.channels.push({
        streamId,
        raw,
        name: cleanName(raw),
        icon,
        epgId: epgChannelId && epgChannelId.length <= 200 ? withoutControlCharacters(epgChannelId).trim() : '',
        archiveDays: Math.min(archiveDays, 366),
        number,
        categoryId: categoryIds.find((id) => known.has(id)) ?? noCategory.id,
      })
  })
  return lineup
}

/**
 * Returns what importing each of the panel's categories would change in the catalog. Changes nothing. Throws 400, 409 or 503 when the panel returns no
 * list.
 */
export async function previewImport(
  context: Context,
  credentials: IptvCredentials,
): Promise<Output<typeof previewChannelImport>> {
  const { categories, channels, radio, unnamed, separators } = await readLineup(context, credentials)
  const outcomeOf = await classifyStreams(context.db)
  const found = new Map(
    categories.map(({ id, name }) => [
      id,
      { id, name, counts: noCounts(), names: [] as string[], suggested: suggestCategory(name) },
    ]),
  )
  const renamed = { count: 0, examples: [] as { from: string; to: string }[] }
  await inChunks(channels, ({ streamId, raw, name, categoryId }) => {
    const { counts, names } = found.get(categoryId)!
    const { outcome } = outcomeOf(streamId, name)
    counts[outcome]++
    if (outcome !== 'add') return
    if (names.length < shownNames) names.push(name)
    if (name === raw) return
    renamed.count++
    if (renamed.examples.length < shownChanges) renamed.examples.push({ from: raw, to: name })
  })
  const shown = [...found.values()].filter(({ counts }) => Object.values(counts).some((count) => count > 0))
  return { categories: shown, radio, unnamed, separators, renamed, most: limits.player.maxImported }
}

/** Imports the channels of the chosen categories in one transaction. Throws like `previewImport`, and 400 for more channels than one import may add or show. */
export async function importFromPanel(
  context: Context,
  { categories: chosen, show, ...credentials }: Input<typeof importPanelChannels>['body'],
  editor: { id: number; requestId: string },
): Promise<Output<typeof importPanelChannels>> {
  const categoryOf = new Map(
    Object.entries(chosen).flatMap(([ours, ids]) => ids.split(',').map((id) => [id, ours as ChannelCategory] as const)),
  )
  const { fromPanel: usesPanelLogos } = await settings.read(context.db, 'logos')
  const { channels, radio, unnamed, separators } = await readLineup(context, credentials)
  const wanted: PanelChannel[] = []
  await inChunks(channels, ({ streamId, name, icon, categoryId, epgId, archiveDays, number }) => {
    const category = categoryOf.get(categoryId)
    const logo = usesPanelLogos && safeLogoAddress(icon, credentials)
    if (category) wanted.push({ stream: streamId, name, category, icon: logo, epgId, archiveDays, number })
  })
  const maxImported = limits.player.maxImported
  if (wanted.length > maxImported)
    return invalid(
      'categories',
      `One import adds at most ${channelCountText(maxImported)}, and ${wanted.length.toLocaleString('en-US')} are chosen. Please choose fewer categories.`,
    )
  if (show && wanted.length > maxShownPerImport)
    return invalid(
      'show',
      `One import may show at most ${maxShownPerImport} channels. Please import them hidden, or choose fewer categories.`,
    )
  const counts = await addChannels(context.db, wanted, { hidden: !show }, editor)
  return { counts, skipped: channels.length - wanted.length + radio + unnamed + separators.count }
}

const noCounts = (): Record<ImportOutcome, number> => ({ add: 0, map: 0, known: 0, double: 0 })

/** Returns a logo URL that may be stored: http(s), without the line's credentials; null for any other. */
function safeLogoAddress(icon: string | null, { iptvUsername, iptvPassword }: IptvCredentials): string | null {
  const url = icon === null || icon.length > 1_000 ? null : URL.parse(icon)
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') return null
  url.hash = ''
  const secrets = [
    iptvPassword,
    encodeURIComponent(iptvPassword),
    `/${encodeURIComponent(iptvUsername)}/`,
    `=${encodeURIComponent(iptvUsername)}`,
  ]
  return secrets.some((secret) => url.href.includes(secret)) ? null : url.href
}
