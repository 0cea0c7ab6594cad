import * as z from 'zod/mini'
import { channelCategory } from '#features/catalog/contract.ts'
import { compactProgram, guideSearch, showing } from '#features/guide/contract.ts'
import { del, get, post, put } from '#kit/endpoint.ts'
import { inputTime } from '#kit/input-time.ts'
import { id, idText, instant } from '#kit/text.ts'
import { mostLoaded } from './direct-rules.ts'
import { reasonNames } from './rules.ts'

const reason = z.enum(reasonNames)
/** A channel that is published for watching. */
export const watchChannel = z.object({
  id,
  name: z.string(),
  category: channelCategory,
  logo: z.string(),
  /** Its channel number on the panel; null if it has none there. */
  number: z.nullable(z.int()),
  /** How many hours back its programs can be watched; 0 for live only. */
  archiveHours: z.int(),
  /** The codecs of its stream; null until a play has detected them. */
  video: z.nullable(z.string()),
  audio: z.nullable(z.string()),
  /** Why it cannot be played here; null if it can. */
  blocked: z.nullable(reason),
})

export type WatchChannel = z.output<typeof watchChannel>

export const getWatch = get('/api/watch', {
  summary: 'The channels that can be watched in the browser, and whether this customer can watch',
  access: 'watcher',
  dependsOn: ['line', 'subscription', 'iptv_account'],
  output: z.object({
    /** Why nothing can be played; null if the customer can watch. */
    blocked: z.nullable(reason),
    /** When the subscription ended, if it did. */
    endedAt: z.nullable(instant),
    /** How many screens may play at the same time. */
    screens: z.int(),
    channels: z.array(watchChannel),
  }),
})
export type Watch = z.output<typeof getWatch.output>

export const searchArchive = get('/api/watch/archive', {
  summary:
    'At most 50 ended programs that can be watched from the archive here, whose titles contain words with these beginnings, the latest first',
  access: 'member',
  limit: 'search',
  query: z.object({ ...guideSearch, from: z.optional(inputTime), to: z.optional(inputTime) }),
  output: z.array(showing),
})

export const getReporterCount = get('/api/watch/channels/:channelId/reporters', {
  summary:
    'How many other customers reported a channel in the last hour, in reports that are still open, and since when an administrator works on it',
  access: 'watcher',
  params: z.object({ channelId: idText }),
  output: z.object({
    count: z.int(),
    /** When an incident was published for the channel, or the first open report on it was taken up; null if neither happened. */
    workingSince: z.nullable(instant),
  }),
})

export const requestListings = post('/api/watch/channels/:channelId/listings', {
  summary:
    'What is on now and next on a channel; if no source of the guide has it, the panel is asked, which takes up to two seconds',
  access: 'member',
  limit: 'write',
  params: z.object({ channelId: idText }),
  output: z.object({
    /** The minutes count from the Unix epoch. */
    programs: z.array(compactProgram),
  }),
})

const playId = z.uuid()
export const play = z.object({
  id: playId,
  /** The name of the device, such as `Living room`. */
  device: z.string(),
  channelId: id,
  channelName: z.string(),
  since: instant,
  /** The play of this browser or device. */
  isHere: z.boolean(),
})
export type Play = z.output<typeof play>

export const listPlays = get('/api/plays', {
  summary: 'What is playing on the screens of the customer',
  access: 'watcher',
  dependsOn: ['play'],
  output: z.array(play),
})
/** A play whose stream is open. */
const openedPlay = z.object({
  id: playId,
  /** Increases with each channel change and seek. A tab whose play has a later one lost its screen to another tab of the same browser. */
  generation: z.int(),
  /** The address of the stream on this server. It works only while this play is open and on this channel. */
  address: z.string(),
  /**
   * The address of the same stream on a server of the panel, if pages may load it from there with the script `/direct/PLAY/loader.js`; otherwise null.
   * A page that cannot load it uses `address`.
   */
  direct: z.nullable(z.string()),
  /** For a program from the archive; null for the live stream. */
  recording: z.nullable(
    z.object({
      title: z.string(),
      /** When the program began and ended. */
      from: instant,
      to: instant,
      /** When the first picture of the stream was broadcast. */
      startsAt: instant,
      /** The time of the broadcast to start playing at. */
      at: instant,
      /** It starts where the customer left it, because the call asked for that. */
      isResumed: z.boolean(),
      /** False if the recording may begin up to an hour earlier or later. */
      isSure: z.boolean(),
    }),
  ),
})
export type OpenedPlay = z.output<typeof openedPlay>
export const openPlay = post('/api/plays', {
  summary:
    'Play a channel on this device, or with `from` a program from its archive; with `resume`, one opened at its start continues where it was left. It uses one screen, also after a channel change. `take` ends another play first',
  access: 'watcher',
  limit: 'play',
  body: z.object({
    channelId: id,
    from: z.optional(inputTime),
    resume: z.optional(z.boolean()),
    take: z.optional(playId),
  }),
  output: openedPlay,
})
const params = z.object({ playId })
export const getPlay = get('/api/plays/:playId', {
  summary: 'Whether a play is still running, and why it ended',
  access: 'watcher',
  dependsOn: ['play'],
  params,
  output: z.object({
    generation: z.int(),
    endedAt: z.nullable(instant),
    why: z.nullable(reason),
    takenBy: z.nullable(z.string()),
  }),
})
export const seekPlay = put('/api/plays/:playId', {
  summary: 'Continue a play of this device at another time in the archive of its channel; it keeps its screen',
  access: 'watcher',
  limit: 'seek',
  params,
  body: z.object({ from: inputTime }),
  output: openedPlay,
})
export const keepAlive = post('/api/plays/:playId/alive', {
  summary:
    'Tell every 20 seconds that a play is running whose stream the page loads from the panel; with `relayed`, that the page could not load it and continues through this site. `loaded` are the playlists that it loaded last, each after its address. With `direct` false it must continue through this site, because they contain credentials. 404 when the play has ended or continued elsewhere',
  access: 'watcher',
  limit: 'playAlive',
  params,
  body: z.object({
    generation: z.int().check(z.gte(1), z.lte(2_147_483_647)),
    relayed: z.optional(z.boolean()),
    loaded: z.optional(z.array(z.string().check(z.maxLength(mostLoaded.length))).check(z.maxLength(mostLoaded.texts))),
  }),
  output: z.object({ alive: z.literal(true), direct: z.boolean() }),
})
export const endPlay = del('/api/plays/:playId', {
  summary:
    'Stop a play of the customer; a paired device stops only its own. With `generation` only if it has not changed its channel since. Idempotent',
  access: 'watcher',
  limit: 'play',
  params,
  query: z.object({
    generation: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2_147_483_647))),
  }),
  output: z.object({ ended: z.literal(true) }),
})
