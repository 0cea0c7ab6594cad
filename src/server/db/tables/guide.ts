import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant, oneOf, version } from '../columns.ts'

/** Sources of the program guide. `sealed` is the encrypted address of an XMLTV file; it is null for a source that only has uploads. */
export const guideSources = pgTable('guide_sources', {
  id: id(),
  name: text('name').notNull(),
  sealed: text('sealed'),
  zone: text('zone').notNull().default('UTC'),
  /** The name of the source that viewers see; empty if they see none. */
  shownAs: text('shown_as').notNull().default(''),
  enabled: boolean('enabled').notNull().default(true),
  state: oneOf('state', ['waiting', 'reading', 'read', 'failed']).default('waiting'),
  note: text('note').notNull().default(''),
  programs: integer('programs').notNull().default(0),
  bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
  etag: text('etag'),
  lastModified: text('last_modified'),
  readAt: instant('read_at'),
  nextAt: instant('next_at'),
  heldUntil: instant('held_until'),
  askedAt: instant('asked_at'),
  createdAt: createdAt(),
  version: version(),
})

/** Uploaded files. `parts` is null until all parts have arrived. */
export const guideUploads = pgTable('guide_uploads', {
  id: uuid('id').primaryKey(),
  sourceId: integer('source_id').notNull(),
  parts: smallint('parts'),
  isRead: boolean('is_read').notNull().default(false),
  createdAt: createdAt(),
})

export const guideUploadParts = pgTable('guide_upload_parts', {
  uploadId: uuid('upload_id').primaryKey(),
  part: smallint('part').primaryKey(),
  bytes: bytes('bytes').notNull(),
})

/** The channels of each source's files. `sourceId` is null for the listings of the panel; `xmltvId` is then the id of the channel in the lineup. */
export const guideChannels = pgTable('guide_channels', {
  id: id(),
  sourceId: integer('source_id'),
  xmltvId: text('xmltv_id').notNull(),
  name: text('name').notNull(),
})

/**
 * Which listings a channel of the lineup shows. `guideChannelId` is null if an administrator chose that it shows none. `matched` is `panel` if it shows the
 * panel's listings because no source has the channel. `shiftMinutes` is added to the times of the source.
 */
export const channelGuides = pgTable('channel_guides', {
  channelId: integer('channel_id').primaryKey(),
  guideChannelId: integer('guide_channel_id'),
  matched: oneOf('matched', ['id', 'name', 'hand', 'panel']),
  shiftMinutes: smallint('shift_minutes').notNull().default(0),
})

/** When the listings of a channel were last requested from the panel. `busyUntil` is null once the call has ended. */
export const panelGuideCalls = pgTable('panel_guide_calls', {
  channelId: integer('channel_id').primaryKey(),
  askedAt: instant('asked_at').notNull(),
  busyUntil: instant('busy_until'),
})

/** What the panel reports about a channel, and what was observed when it was first played. */
export const channelStreams = pgTable('channel_streams', {
  channelId: integer('channel_id').primaryKey(),
  epgId: text('epg_id').notNull().default(''),
  archiveDays: smallint('archive_days').notNull().default(0),
  number: integer('number'),
  isTransport: boolean('is_transport').notNull().default(false),
  video: text('video'),
  audio: text('audio'),
  seenAt: instant('seen_at').notNull().default(sql`now()`),
})

/** Programs, with the times that the source gives. */
export const guidePrograms = pgTable('guide_programs', {
  guideChannelId: integer('guide_channel_id').primaryKey(),
  startsAt: instant('starts_at').primaryKey(),
  endsAt: instant('ends_at').notNull(),
  title: text('title').notNull(),
  subtitle: text('subtitle').notNull().default(''),
  description: text('description').notNull().default(''),
  category: text('category').notNull().default(''),
  season: smallint('season'),
  episode: smallint('episode'),
  isNew: boolean('is_new').notNull().default(false),
  /** Features of picture, sound and subtitles, as bit flags. */
  features: smallint('features').notNull().default(0),
  rating: text('rating').notNull().default(''),
})

/** Programs that a customer wants to watch or be reminded of. `startsAt` is the time shown to the customer. */
export const programMarks = pgTable('program_marks', {
  userId: integer('user_id').primaryKey(),
  channelId: integer('channel_id').primaryKey(),
  startsAt: instant('starts_at').primaryKey(),
  endsAt: instant('ends_at').notNull(),
  title: text('title').notNull(),
  onWatchlist: boolean('on_watchlist').notNull().default(false),
  reminder: boolean('reminder').notNull().default(false),
  remindedAt: instant('reminded_at'),
  createdAt: createdAt(),
})
