import { sql } from 'drizzle-orm'
import { bigint, boolean, date, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant, oneOf, version } from '../columns.ts'

/** The switch for watching in the browser, and for direct delivery, in one row. */
export const watching = pgTable('watching', {
  id: integer('id').primaryKey().default(1),
  enabledAt: instant('enabled_at'),
  enabledBy: integer('enabled_by'),
  /** Whether pages load streams directly from the panel hosts in `directHosts` if the panel allows it. */
  directEnabled: boolean('direct_enabled').notNull().default(false),
  directHosts: text('direct_hosts').array().notNull().default(sql`'{}'::text[]`),
  /** After how many hours without input the player asks whether the viewer is still there; 0: never. */
  unattendedHours: smallint('unattended_hours').notNull().default(4),
  version: version(),
})

/** The register of rights. `territories` is a sorted list of country codes, separated by commas, or `WORLD`. */
export const channelRights = pgTable('channel_rights', {
  id: id(),
  channelId: integer('channel_id').notNull(),
  source: text('source').notNull(),
  licensor: text('licensor').notNull(),
  territories: text('territories').notNull(),
  validFrom: date('valid_from', { mode: 'string' }).notNull(),
  validUntil: date('valid_until', { mode: 'string' }).notNull(),
  document: text('document').notNull(),
  archiveHours: integer('archive_hours').notNull().default(0),
  createdAt: createdAt(),
  version: version(),
})

/** The channels that are published for watching. */
export const watchChannels = pgTable('watch_channels', {
  channelId: integer('channel_id').primaryKey(),
  publishedAt: instant('published_at').notNull().default(sql`now()`),
})

/** The devices on which customers watch: browsers, paired TVs, and TV apps with credentials of their own. */
export const devices = pgTable('devices', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: integer('user_id').notNull(),
  kind: oneOf('kind', ['browser', 'tv', 'app']),
  name: text('name').notNull(),
  agent: text('agent').notNull().default(''),
  country: text('country'),
  sessionId: bigint('session_id', { mode: 'number' }),
  tokenHash: bytes('token_hash'),
  linkName: text('link_name'),
  linkHash: bytes('link_hash'),
  createdAt: createdAt(),
  seenAt: instant('seen_at'),
  endedAt: instant('ended_at'),
})

/** Pairing codes that TVs show. Each is valid for ten minutes. */
export const deviceCodes = pgTable('device_codes', {
  deviceHash: bytes('device_hash').primaryKey(),
  codeHash: bytes('code_hash').notNull(),
  agent: text('agent').notNull(),
  country: text('country'),
  createdAt: createdAt(),
  expiresAt: instant('expires_at').notNull(),
  polledAt: instant('polled_at'),
  pollSeconds: smallint('poll_seconds').notNull(),
  state: oneOf('state', ['pending', 'allowed', 'denied', 'used']).default('pending'),
  deviceId: uuid('device_id'),
})

/** Plays: what customers watch now and what they watched in the last 30 days (`limits.relay.keptDays`). */
export const plays = pgTable('plays', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: integer('user_id').notNull(),
  /** The session of a browser; null for other devices. */
  sessionId: bigint('session_id', { mode: 'number' }),
  deviceId: uuid('device_id'),
  device: text('device').notNull(),
  channelId: integer('channel_id').notNull(),
  /** A random id of the page that opened the play or changed its channel last; null if it was not a page of this site. */
  tab: text('tab'),
  generation: integer('generation').notNull().default(1),
  country: text('country'),
  openedAt: instant('opened_at').notNull().default(sql`now()`),
  seenAt: instant('seen_at').notNull().default(sql`now()`),
  endedAt: instant('ended_at'),
  why: text('why'),
  takenBy: text('taken_by'),
  relay: text('relay'),
  /** `direct` if the page loads the stream from the panel itself, otherwise the reason why not; null if direct delivery is off. */
  direct: text('direct'),
  startsFrom: instant('starts_from'),
  programFrom: instant('program_from'),
  programTo: instant('program_to'),
})

/** How far customers watched recordings. `ref` is `progressRef` of the channel and the start of the program. */
export const watchProgress = pgTable('watch_progress', {
  userId: integer('user_id').primaryKey(),
  kind: text('kind', { enum: ['catchup'] }).primaryKey(),
  ref: text('ref').primaryKey(),
  positionMs: integer('position_ms').notNull(),
  lengthMs: integer('length_ms').notNull(),
  done: boolean('done').notNull().default(false),
  seenAt: instant('seen_at').notNull().default(sql`now()`),
})

/** What was observed about the panels that lines are on, by host and port. */
export const streamPanels = pgTable('stream_panels', {
  host: text('host').primaryKey(),
  archiveForm: text('archive_form', { enum: ['colon', 'underscore', 'seconds', 'utc', 'query'] }),
  zone: text('zone'),
  offsetMinutes: integer('offset_minutes'),
  clockReadAt: instant('clock_read_at'),
  /** What the panel does with a line that has no connection left. */
  overLimit: oneOf('over_limit', ['closes_oldest', 'refuses', 'unknown']).default('unknown'),
  overLimitAt: instant('over_limit_at'),
})

/** What a customer's self-check measured. */
export const selfChecks = pgTable('self_checks', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: integer('user_id').notNull(),
  channelId: integer('channel_id'),
  device: text('device').notNull(),
  probes: boolean('probes').notNull(),
  facts: jsonb('facts').$type<Record<string, unknown>>(),
  samples: smallint('samples').notNull().default(0),
  createdAt: createdAt(),
  /** The verdict of the self-check; null until the browser has reported it. */
  cause: text('cause'),
  /** Whether the customer sent a report with this self-check. */
  reported: boolean('reported').notNull().default(false),
})

/** How many checks ended with each verdict on each day. */
export const selfCheckVerdicts = pgTable('self_check_verdicts', {
  day: date('day').primaryKey(),
  cause: text('cause').primaryKey(),
  checks: integer('checks').notNull(),
  reported: integer('reported').notNull().default(0),
})

/** The results of a self-check that a report was sent with. */
export const reportEvidence = pgTable('report_evidence', {
  reportId: integer('report_id').primaryKey(),
  checkId: uuid('check_id').notNull(),
  evidence: jsonb('evidence').$type<Record<string, unknown>>().notNull(),
  createdAt: createdAt(),
})
