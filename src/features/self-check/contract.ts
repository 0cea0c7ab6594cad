import * as z from 'zod/mini'
import { report } from '#features/reports/contract.ts'
import { post, put } from '#kit/endpoint.ts'
import { id, instant } from '#kit/text.ts'

const count = z.int().check(z.gte(0), z.lte(1_000_000))

/** What the server finds out about the customer and the channel from our records, the panel and other viewers. Contains no URLs, hosts or credentials. */
export const serverFacts = z.object({
  at: instant,
  /** The channel that was checked; null for a check without a channel. */
  channelName: z.nullable(z.string()),
  account: z.enum(['ok', 'expired', 'paused', 'preparing']),
  /** When the subscription ends or ended. */
  accountUntil: z.nullable(instant),
  /** `none`: the customer has no line. */
  line: z.object({
    kind: z.enum(['ours', 'synced', 'none']),
    login: z.enum(['ok', 'refused', 'no_answer', 'not_asked']),
  }),
  /** How long the panel took to answer, in milliseconds. */
  panelMs: z.nullable(count),
  screens: z.object({ used: count, all: count, playsHere: z.boolean(), devices: z.array(z.string()) }),
  place: z.enum(['ok', 'territory', 'not_licensed']),
  /** How the channel played for other customers in the last 15 minutes. `reports`: how many other customers have an open report from the last hour. */
  others: z.object({
    starts: count,
    failures: count,
    failedCustomers: count,
    viewers: count,
    reports: count,
    failingSince: z.nullable(instant),
  }),
  /** When an administrator began to work on the channel; null if none did. Missing in results that were stored before this field existed. */
  workingSince: z.optional(z.nullable(instant)),
  /** How all channels played for other customers in the last 15 minutes. */
  service: z.object({ starts: count, failures: count, failedCustomers: count, failedChannels: count }),
  /**
   * The result of reading the beginning of the channel on the customer's line. `skipped`: there was no channel, line, right or free screen, or this session was
   * playing.
   */
  probe: z.object({
    result: z.enum(['alive', 'dead', 'refused', 'too_many', 'no_answer', 'not_playable', 'skipped']),
    /** The kind of failure, such as `HTTP 404`. */
    detail: z.nullable(z.string()),
    ms: z.nullable(count),
    /** The bit rate of the channel, in kilobits per second. */
    kbps: z.nullable(count),
    codecs: z.nullable(z.string()),
  }),
  relay: z.enum(['ok', 'busy', 'full']),
  /**
   * The position, counted from 1, of the streaming host in the operator's list of hosts from which pages may load streams directly. Null if the channel plays
   * through this site or was not read. Missing in results that were stored before this field existed.
   */
  directHost: z.optional(z.nullable(count)),
})
export type ServerFacts = z.output<typeof serverFacts>

const sample = z.object({
  bytes: z.int().check(z.gte(0), z.lte(8_000_000)),
  ms: count,
  parts: count,
  lateParts: count,
})
/** `blocked`: the browser waits for a click or tap before it plays sound. */
export const playerEvents = ['opening', 'playing', 'buffering', 'stopped', 'blocked'] as const
/** What the browser measured. All times are in milliseconds. */
export const browserFacts = z.object({
  online: z.boolean(),
  /** Whether the API answered. `busy`: our server refused the request because of overload or an outage. */
  server: z.enum(['answered', 'busy', 'no_answer']),
  mediaSource: z.boolean(),
  /** Whether the browser decodes the codecs of the channel, or H.264 and AAC if they are unknown. */
  decodes: z.boolean(),
  clockOffMs: z.int().check(z.gte(-4_000_000_000_000), z.lte(4_000_000_000_000)),
  delaysMs: z.array(count).check(z.maxLength(5)),
  lost: z.int().check(z.gte(0), z.lte(5)),
  sample: z.nullable(sample),
  /**
   * The video frames in the last 60 seconds of playback; null if there were too few. `frames`, `hidden` and `blocked` are missing in results that were stored
   * before these fields existed.
   */
  frames: z.optional(z.nullable(z.object({ shown: count, dropped: count }))),
  /** Whether the page was hidden at any time during the check. */
  hidden: z.optional(z.boolean()),
  /** Whether something in the browser blocks the sample: the request failed faster than the server could answer, while the server answered other requests. */
  blocked: z.optional(z.boolean()),
  /**
   * What arrived from the streaming host after its first answer, up to 4 MB in at most 3 seconds; null or missing if the host was not measured. `after`: the
   * sample, which is loaded again directly afterwards if the host was slow.
   */
  host: z.optional(
    z.nullable(z.object({ bytes: z.int().check(z.gte(0), z.lte(8_000_000)), ms: count, after: z.nullable(sample) })),
  ),
  /** What the player did in the last 60 seconds. `why` is `hidden` if the page was hidden then and there is no other reason. */
  events: z
    .array(
      z.object({
        agoMs: count,
        what: z.enum(playerEvents),
        why: z.optional(z.string().check(z.regex(/^[a-z_]{1,20}$/))),
      }),
    )
    .check(z.maxLength(40)),
})
export type BrowserFacts = z.output<typeof browserFacts>

export const causes = [
  'offline',
  'unreachable',
  'expired',
  'paused',
  'preparing',
  'login',
  'screens',
  'territory',
  'not_licensed',
  'busy',
  'panel',
  'off_air',
  'format',
  'browser',
  'codec',
  'blocked',
  'autoplay',
  'slow',
  'unstable',
  'slow_host',
  'frames',
  'hidden',
  'clock',
  'not_seen',
  'works',
] as const
export type Cause = (typeof causes)[number]
/**
 * Which side is at fault. `channel` counts as our side, and `license` as neither. `between`: a streaming host, or the route from the host to the customer.
 * `unknown`: it cannot be determined.
 */
export const sides = ['you', 'us', 'channel', 'license', 'between', 'fine', 'unknown'] as const
export type Side = (typeof sides)[number]
export const verdict = z.object({ side: z.enum(sides), cause: z.enum(causes) })
export type Verdict = z.output<typeof verdict>

export const runCheck = post('/api/self-check', {
  summary: 'Check account, line, screens, panel and a channel for the customer; takes up to eight seconds',
  access: 'member',
  limit: 'selfCheck',
  body: z.object({ channelId: z.optional(id) }),
  output: z.object({
    id: z.uuid(),
    /** The path of the sample with which the browser measures its connection. The sample can be loaded twice within a minute. */
    sample: z.string(),
    /**
     * What the browser needs to measure the streaming host, if it may load the channel from there: the script of a worker, and the newest segments. These URLs
     * are not stored. Null if the channel plays through this site or was not read.
     */
    direct: z.nullable(z.object({ loader: z.string(), segments: z.array(z.string()) })),
    /** Browser and operating system of the caller, such as `Chrome on Windows`. Included in a report. */
    device: z.string(),
    facts: serverFacts,
  }),
})
export type CheckResult = z.output<typeof runCheck.output>

export const recordVerdict = put('/api/self-check/:checkId/verdict', {
  summary: 'Record the verdict of a check, for the counts by verdict; idempotent',
  access: 'member',
  limit: 'write',
  params: z.object({ checkId: z.uuid() }),
  body: z.object({ cause: z.enum(causes) }),
  output: z.object({ recorded: z.literal(true) }),
})

export const reportCheck = post('/api/self-check/:checkId/report', {
  summary: 'Report a problem with the channel, with the results of a check as evidence; idempotent',
  access: 'member',
  limit: 'report',
  params: z.object({ checkId: z.uuid() }),
  body: z.object({ browser: browserFacts }),
  output: z.object({
    report,
    /** Whether the evidence was added to a report that the customer sent within the last hour. */
    joined: z.boolean(),
  }),
})
