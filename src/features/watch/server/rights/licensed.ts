import { type SQL, sql } from 'drizzle-orm'
import { channelRights, watchChannels, watching } from '#server/db/tables.ts'

/** SQL for the current day in UTC, by the database's clock. The first and last day of a right are days in UTC. */
export const today = sql`(now() at time zone 'UTC')::date`

/** Whether a right to this channel is in force in any country. */
export const isLicensed = (channelId: SQL): SQL<boolean> =>
  sql<boolean>`exists (select from ${channelRights} where ${channelRights.channelId} = ${channelId} and ${isInForce})`

/** Whether a right to this channel is in force in this country (a country code, or SQL null if it is unknown). */
export const isLicensedIn = (channelId: SQL, country: SQL): SQL<boolean> =>
  sql<boolean>`exists (select from ${channelRights} where ${channelRights.channelId} = ${channelId} and ${isInForce} and ${covers(country)})`

/** SQL for how many hours back the rights to a channel in this country cover its archive; 0 for live only. */
export const archiveHoursIn = (channelId: SQL, country: SQL): SQL<number> =>
  sql<number>`coalesce((select max(${channelRights.archiveHours}) from ${channelRights}
    where ${channelRights.channelId} = ${channelId} and ${isInForce} and ${covers(country)}), 0)`

const isInForce = sql`${channelRights.validFrom} <= ${today} and ${channelRights.validUntil} >= ${today}`
const covers = (country: SQL) =>
  sql`(${channelRights.territories} = 'WORLD' or ${country}::text = any (string_to_array(${channelRights.territories}, ',')))`

/** Whether the channel is published for watching. */
export const isPublished = (channelId: SQL): SQL<boolean> =>
  sql<boolean>`exists (select from ${watchChannels} where ${watchChannels.channelId} = ${channelId})`

/** Whether watching is on. */
export const isWatchingOn: SQL<boolean> = sql<boolean>`exists (select from ${watching} where ${watching.enabledAt} is not null)`
