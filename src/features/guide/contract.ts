import * as z from 'zod/mini'
import { del, get, put } from '#kit/endpoint.ts'
import { inputTime } from '#kit/input-time.ts'
import { id, idParam, instant, singleLine } from '#kit/text.ts'
import { guideRequestLimits, searchLength } from './rules.ts'

const count = (max: number, message: string) =>
  z.optional(z.coerce.number<string | number>(message).check(z.int(message), z.gte(1, message), z.lte(max, message)))
export const compactProgram = z.tuple([z.number(), z.number(), z.string(), z.string(), z.int()])
const guideRow = z.tuple([id, z.array(compactProgram)])

export const getGuide = get('/api/guide', {
  summary: 'The programs of the given channels, or of a part of the lineup, within the requested hours',
  access: 'member',
  keepSeconds: 300,
  query: z.object({
    from: inputTime,
    hours: count(guideRequestLimits.hours, `Please ask for 1 to ${guideRequestLimits.hours} hours`),
    /** Channel ids, separated by commas. */
    ids: z.optional(
      z
        .string()
        .check(z.regex(/^\d{1,9}(,\d{1,9}){0,39}$/, `Please give at most ${guideRequestLimits.channels} channel ids`)),
    ),
    offset: z.optional(
      z.coerce
        .number<string | number>('Please give the position of a channel')
        .check(z.int(), z.gte(0, 'Please give the position of a channel'), z.lte(100_000)),
    ),
    channels: count(guideRequestLimits.channels, `Please ask for 1 to ${guideRequestLimits.channels} channels`),
  }),
  output: z.object({
    /** The instant from which the minutes of the programs are counted. */
    from: instant,
    /** Each channel with its programs in order of time; an empty list if the channel has no listings. */
    rows: z.array(guideRow),
  }),
})
export type Guide = z.output<typeof getGuide.output>

export const getGuideNow = get('/api/guide/now', {
  summary: 'What is on now and next on every channel that has listings, at most a minute old',
  access: 'public',
  keepSeconds: 30,
  output: z.object({
    /** When a source was last read; null if none was. */
    readAt: z.nullable(instant),
    /** The names under which viewers see the sources in use. Sources without such a name are left out. */
    sources: z.array(z.string()),
    /** Each channel with its programs in order of time. Their minutes are counted from the Unix epoch. */
    rows: z.array(guideRow),
  }),
})
export type GuideNow = z.output<typeof getGuideNow.output>

export const showing = z.object({
  channelId: id,
  startsAt: instant,
  endsAt: instant,
  title: z.string(),
  detail: z.string(),
  isNew: z.boolean(),
})
export type Showing = z.output<typeof showing>
const programParams = z.object({ channelId: idParam, startsAt: inputTime })

export const getProgram = get('/api/guide/programs/:channelId/:startsAt', {
  summary: 'One program, and the other programs with the same title on its channel',
  access: 'member',
  params: programParams,
  output: z.object({
    ...showing.shape,
    description: z.string(),
    category: z.string(),
    /** What is known about picture, sound and subtitles, and the rating, such as `HD` or `TV-14`. */
    features: z.array(z.string()),
    /** The name of the source of the listings; empty if it is not to be named. */
    source: z.string(),
    /** At most 6 other showings on the channel that have not ended, in order of time. */
    more: z.array(showing),
    /** At most 6 other showings on the channel that have ended, the latest first. Whether they can still be watched depends on the channel's archive. */
    earlier: z.array(showing),
  }),
})
export type Program = z.output<typeof getProgram.output>

/** The query parameters of the searches for upcoming and for ended programs. */
export const guideSearch = {
  q: singleLine(searchLength.min, searchLength.max, `Please type at least ${searchLength.min} letters`),
  /** A category of channels, or `favorites` for the channels on the watchlist. If absent, all channels are searched. */
  category: z.optional(singleLine(1, 40, 'Please name a category')),
}
export const searchGuide = get('/api/guide/search', {
  summary:
    'At most 50 programs with title words that begin with the words of the search, that end after `from` and start before `to`, in order of time',
  access: 'member',
  limit: 'search',
  query: z.object({ ...guideSearch, from: inputTime, to: z.optional(inputTime) }),
  output: z.array(showing),
})

const mark = z.object({ onWatchlist: z.boolean(), reminder: z.boolean() })
export const programMark = z.object({
  channelId: id,
  channelName: z.string(),
  startsAt: instant,
  endsAt: instant,
  title: z.string(),
  ...mark.shape,
})
export type ProgramMark = z.output<typeof programMark>

export const listProgramMarks = get('/api/program-marks', {
  summary:
    'The customer’s marked programs, in order of time: those that have not ended, and those on the watchlist that the panel still keeps',
  access: 'member',
  dependsOn: ['program_mark'],
  output: z.array(programMark),
})
export const markProgram = put('/api/program-marks/:channelId/:startsAt', {
  summary: 'Put a program on the watchlist, set a reminder, or both; two false values remove the mark',
  access: 'member',
  limit: 'write',
  params: programParams,
  body: mark,
  output: mark,
})
export const unmarkProgram = del('/api/program-marks/:channelId/:startsAt', {
  summary: 'Remove a program from the watchlist and its reminder; idempotent',
  access: 'member',
  limit: 'write',
  params: programParams,
  output: z.object({ removed: z.literal(true) }),
})
