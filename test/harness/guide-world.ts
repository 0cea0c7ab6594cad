import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { channelGuides, channels, guideChannels, guidePrograms, guideSources } from '#server/db/tables.ts'

type NewProgram = Partial<typeof guidePrograms.$inferInsert> & { startsAt: string; minutes: number; title: string }

let serial = 0

/** Adds a channel with listings. The times of the programs are those of the source, to which the app adds `shiftMinutes`. */
export async function addListedChannel(
  db: Db,
  programs: NewProgram[],
  { shiftMinutes = 0, hidden = false, name = `Listed ${++serial}` } = {},
): Promise<{ id: number; name: string; guideChannelId: number }> {
  const [channel] = await db
    .insert(channels)
    .values({ name, category: 'movies', logo: 'mark:L', hidden })
    .returning({ id: channels.id })
  await db
    .insert(guideSources)
    .values({ name: 'Listings', readAt: sql`now()` as never })
    .onConflictDoNothing()
  const [source] = await db.select({ id: guideSources.id }).from(guideSources).limit(1)
  const [listed] = await db
    .insert(guideChannels)
    .values({ sourceId: source!.id, xmltvId: `listed.${channel!.id}`, name })
    .returning({ id: guideChannels.id })
  const guideChannelId = listed!.id
  await db.insert(channelGuides).values({ channelId: channel!.id, guideChannelId, matched: 'id', shiftMinutes })
  if (programs.length > 0)
    await db.insert(guidePrograms).values(
      programs.map(({ minutes, startsAt, ...program }) => ({
        ...program,
        startsAt,
        guideChannelId,
        endsAt: new Date(Date.parse(startsAt) + minutes * 60_000).toISOString(),
      })),
    )
  return { id: channel!.id, name, guideChannelId }
}

/** Returns a function that adds minutes to the start of the current minute, as it was when the function was created. */
export function minutesFromNow(): (minutes: number) => string {
  const minute = Math.floor(Date.now() / 60_000)
  return (minutes) => new Date((minute + minutes) * 60_000).toISOString()
}
