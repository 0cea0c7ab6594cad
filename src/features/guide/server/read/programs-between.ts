import { type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import { shift } from './program-columns.ts'

type Range = { from: Instant; to: Instant; max?: number }

/**
 * Returns a query for the programs of channels that are on between two times, as shown to customers: in order of channel and time, at most `max` for
 * each channel. In `columns`, `channel_guides` has the alias `g`, and `guide_programs` the alias `p`.
 */
export const programsBetween = (columns: SQL, channelIds: number[], { from, to, max }: Range): SQL => sql`
  SELECT ${columns} FROM channel_guides g CROSS JOIN LATERAL (
    SELECT * FROM guide_programs WHERE guide_channel_id = g.guide_channel_id
      -- No program is longer than 24 hours, so a program that is on at the first time starts at most a day earlier.
      AND starts_at > ${from}::timestamptz - ${shift} - interval '24 hours' AND starts_at < ${to}::timestamptz - ${shift}
      AND ends_at > ${from}::timestamptz - ${shift}
    ORDER BY starts_at ${max === undefined ? sql`` : sql`LIMIT ${max}`}) p
  WHERE g.channel_id = ANY(${sql.param(channelIds)}::int[]) ORDER BY g.channel_id, p.starts_at`
