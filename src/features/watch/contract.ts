import * as z from 'zod/mini'
import { channelCategory } from '#features/catalog/contract.ts'
import { compactProgram, guideSearch, showing } from '#features/guide/contract.ts'
import { del, get, post, put } from '#kit/endpoint.ts'
import { inputTime } from '#kit/input-time.ts'
import { id, idParam, instant } from '#kit/text.ts'
import { maxLoaded } from './direct-rules.ts'
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
  /** How many hours back the programs of the channel can be watched; 0 if it can be watched only live. */
  archiveHours: z.int(),
  /** The codecs of its stream; null until a play has detected them. */
  video: z.nullable(z.string()),
  audio: z.nullable(z.string()),
  /** Why the channel cannot be played here; null if it can. */
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
    /** When the subscription ended; null if it did not. */
    endedAt: z.nullable(instant),
    /** The maximum number of screens that may play at the same time. */
    screens: z.int(),
    /** After how many hours without input the player stops and asks whether the viewer is still there; 0: never. */
    unattendedHours: z.int(),
    channels: z.array(watchChannel),
  }),
})
export type Watch = z.output<typeof getWatch.output>

export const searchArchive = get('/api/watch/archive', {
  summary:
    'At most 50 ended programs that can be watched from the archive in this country and whose titles contain words that begin with the search terms, the latest first',
  access: 'member',
  limit: 'search',
  query: z.object({ ...guideSearch, from: z.optional(inputTime), to: z.optional(inputTime) }),
  output: z.array(showing),
})

export const getReporterCount = get('/api/watch/channels/:channelId/reporters', {
  summary:
    'How many other customers reported a channel in the last hour (open reports only), and since when an administrator has been working on it',
  access: 'watcher',
  params: z.object({ channelId: idParam }),
  output: z.object({
    count: z.int(),
    /**
     * When an administrator began to work on the channel: an incident was published for it, or its first open report was taken up. Null if neither happened.
     */
    workingSince: z.nullable(instant),
  }),
})

export const requestListings = post('/api/watch/channels/:channelId/listings', {
  summary:
    'What is on now and next on a channel. If no guide source lists the channel, the panel is asked, which takes up to two seconds',
  access: 'member',
  limit: 'write',
  params: z.object({ channelId: idParam }),
  output: z.object({
    /** Their times are in minutes since the Unix epoch. */
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
  /** Whether this browser or device is playing it. */
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
  /** Increases with each channel change and seek. If the play has a later generation than a tab knows, another tab of the same browser has taken the screen. */
  generation: z.int(),
  /** The address of the stream on this server. It works only while the play is open and on this channel. */
  address: z.string(),
  /**
   * The address of the same stream on one of the panel's servers, if pages may load it from there with the script `/direct/PLAY/loader.js`; otherwise null. A
   * page that cannot load it uses `address`.
   */
  direct: z.nullable(z.string()),
  /** The program from the archive that plays; null for the live stream. */
  recording: z.nullable(
    z.object({
      title: z.string(),
      /** When the program began and ended. */
      from: instant,
      to: instant,
      /** When the first picture of the stream was broadcast. */
      startsAt: instant,
      /** The broadcast time at which playback starts. */
      at: instant,
      /** Whether playback starts where the customer stopped before, because the request had `resume`. */
      isResumed: z.boolean(),
      /** False if the recording may begin up to an hour earlier or later. */
      isSure: z.boolean(),
    }),
  ),
})
export type OpenedPlay = z.output<typeof openedPlay>
/** A random id of a page, by which it recognizes plays that it opened although the response was lost. */
const tab = z.string().check(z.regex(/^[\w.-]{1,40}$/))
export const openPlay = post('/api/plays', {
  summary:
    'Play a channel on this device, or with `from` a program from its archive. With `resume`, a program that is opened at its start resumes where the customer stopped. The play uses one screen, also after a channel change. `take` ends another play first',
  access: 'watcher',
  limit: 'play',
  body: z.object({
    channelId: id,
    from: z.optional(inputTime),
    resume: z.optional(z.boolean()),
    take: z.optional(playId),
    tab: z.optional(tab),
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
    /** The id that the page which opened the play last sent with it; null if it sent none. */
    tab: z.nullable(z.string()),
  }),
})
export const seekPlay = put('/api/plays/:playId', {
  summary: 'Continue a play of this device at another time in the archive of its channel. The play keeps its screen',
  access: 'watcher',
  limit: 'seek',
  params,
  body: z.object({ from: inputTime, tab: z.optional(tab) }),
  output: openedPlay,
})
export const keepAlive = post('/api/plays/:playId/alive', {
  summary:
    'Report every 20 seconds that a play is running whose stream the page loads from the panel. `relayed`: the page could not load the stream and continues through this site. `loaded`: the last playlists that the page loaded, each preceded by its address. If the response has `direct` false, the playlists contain credentials and the page must continue through this site. 404 if the play has ended or continued elsewhere',
  access: 'watcher',
  limit: 'playAlive',
  params,
  body: z.object({
    generation: z.int().check(z.gte(1), z.lte(2_147_483_647)),
    relayed: z.optional(z.boolean()),
    loaded: z.optional(z.array(z.string().check(z.maxLength(maxLoaded.length))).check(z.maxLength(maxLoaded.texts))),
  }),
  output: z.object({ alive: z.literal(true), direct: z.boolean() }),
})
export const endPlay = del('/api/plays/:playId', {
  summary:
    'Stop a play of the customer; a paired device can stop only its own play. With `generation`, only if the play has not changed its channel since then. Idempotent',
  access: 'watcher',
  limit: 'play',
  params,
  query: z.object({
    generation: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2_147_483_647))),
  }),
  output: z.object({ ended: z.literal(true) }),
})
