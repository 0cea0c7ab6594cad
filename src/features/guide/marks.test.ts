import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { channelStreams, channels, mails, programMarks } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { addListedChannel, minutesFromNow } from '../../../test/harness/guide-world.ts'
import { listProgramMarks, markProgram, unmarkProgram } from './contract.ts'
import { remindPrograms } from './server/marks/remind-programs.ts'

let app: TestApp
let member: SignedIn
let inMinutes: ReturnType<typeof minutesFromNow>
beforeAll(async () => {
  app = await buildApp()
})
beforeEach(async () => {
  inMinutes = minutesFromNow()
  member = await app.signIn()
})
afterAll(() => app.close())

const mark = (
  { client }: SignedIn,
  channelId: number,
  startsAt: string,
  settings: { onWatchlist?: boolean; reminder?: boolean },
) =>
  client.call(markProgram, {
    params: { channelId, startsAt },
    body: { onWatchlist: false, reminder: false, ...settings },
  })
const marksOf = ({ client }: SignedIn) => client.call(listProgramMarks, {})
const reminders = async ({ user }: SignedIn) =>
  (await app.db.select().from(mails).where(eq(mails.userId, user.id))).filter(
    ({ template }) => template === 'program_starting',
  )
const listedAt = (minutes: number, title = 'Night Ferry') =>
  addListedChannel(app.db, [{ startsAt: inMinutes(minutes), minutes: 60, title }])

describe('a mark is refused', () => {
  test('for a program that is not listed, and for one on a hidden channel', async () => {
    const { id } = await listedAt(60)
    await expect(mark(member, id, inMinutes(61), { onWatchlist: true })).rejects.toMatchObject({ status: 404 })
    const hidden = await addListedChannel(app.db, [{ startsAt: inMinutes(60), minutes: 60, title: 'Hidden' }], {
      hidden: true,
    })
    await expect(mark(member, hidden.id, inMinutes(60), { reminder: true })).rejects.toMatchObject({ status: 404 })
  })

  test('for a reminder of a program that has started, and for a program that has ended', async () => {
    const { id } = await listedAt(-10)
    await expect(mark(member, id, inMinutes(-10), { reminder: true })).rejects.toMatchObject({
      code: 'program_started',
    })
    const ended = await listedAt(-90)
    await expect(mark(member, ended.id, inMinutes(-90), { onWatchlist: true })).rejects.toMatchObject({
      code: 'program_ended',
    })
  })

  test('for more than 200 programs', async () => {
    const { id } = await listedAt(60)
    await app.db.execute(sql`INSERT INTO program_marks (user_id, channel_id, starts_at, ends_at, title, on_watchlist)
      SELECT ${member.user.id}, ${id}, now() + n * interval '1 day', now() + n * interval '1 day' + interval '1 hour', 'Night Ferry', true
      FROM generate_series(1, 200) n`)
    await expect(mark(member, id, inMinutes(60), { onWatchlist: true })).rejects.toMatchObject({
      code: 'too_many_marks',
    })
    expect(await marksOf(member)).toHaveLength(200)
  })
})

test('customers see, change and remove only their own marks', async () => {
  const { id, name } = await listedAt(60)
  const startsAt = inMinutes(60)
  await mark(member, id, startsAt, { onWatchlist: true })
  await mark(member, id, startsAt, { onWatchlist: true, reminder: true })
  expect(await marksOf(member)).toEqual([
    {
      channelId: id,
      channelName: name,
      startsAt,
      endsAt: inMinutes(120),
      title: 'Night Ferry',
      onWatchlist: true,
      reminder: true,
    },
  ])
  const other = await app.signIn()
  expect(await marksOf(other)).toEqual([])
  await other.client.call(unmarkProgram, { params: { channelId: id, startsAt } })
  expect(await marksOf(member)).toHaveLength(1)
  await mark(member, id, startsAt, {})
  expect(await marksOf(member)).toEqual([])
  await mark(member, id, startsAt, { reminder: true })
  await member.client.call(unmarkProgram, { params: { channelId: id, startsAt } })
  await member.client.call(unmarkProgram, { params: { channelId: id, startsAt } })
  expect(await marksOf(member)).toEqual([])
})

test('a running program can be put on the watchlist, and a program on a channel with a shift is marked by the time that customers see', async () => {
  const running = await listedAt(-10)
  await mark(member, running.id, inMinutes(-10), { onWatchlist: true })
  const shifted = await addListedChannel(app.db, [{ startsAt: inMinutes(120), minutes: 60, title: 'Shifted' }], {
    shiftMinutes: -60,
  })
  await mark(member, shifted.id, inMinutes(60), { reminder: true })
  expect((await marksOf(member)).map(({ endsAt }) => endsAt)).toEqual([inMinutes(50), inMinutes(120)])
})

test('an ended program can be put on the watchlist, without a reminder, and stays there as long as the panel keeps it', async () => {
  const hour = 60
  const starts = [-47 * hour, -25 * hour, -2 * hour, -49 * hour]
  const { id } = await addListedChannel(
    app.db,
    starts.map((start) => ({ startsAt: inMinutes(start), minutes: 60, title: 'Night Ferry' })),
  )
  await expect(mark(member, id, inMinutes(-2 * hour), { onWatchlist: true })).rejects.toMatchObject({
    code: 'program_ended',
  })
  await app.db.insert(channelStreams).values({ channelId: id, archiveDays: 2 })
  await expect(mark(member, id, inMinutes(-49 * hour), { onWatchlist: true })).rejects.toMatchObject({
    code: 'program_ended',
  })
  await expect(mark(member, id, inMinutes(-2 * hour), { reminder: true })).rejects.toMatchObject({
    code: 'program_started',
  })
  // A new mark deletes old ones, but not those that can be watched.
  for (const start of starts.slice(0, 3)) await mark(member, id, inMinutes(start), { onWatchlist: true })
  const listed = async () => (await marksOf(member)).map(({ startsAt }) => startsAt)
  expect(await listed()).toEqual(starts.slice(0, 3).map(inMinutes))
  await mark(member, id, inMinutes(-25 * hour), {})
  expect(await listed()).toEqual([inMinutes(-47 * hour), inMinutes(-2 * hour)])
  await app.db.update(channelStreams).set({ archiveDays: 1 }).where(eq(channelStreams.channelId, id))
  expect(await listed()).toEqual([inMinutes(-2 * hour)])
  const later = await listedAt(60)
  await mark(member, later.id, inMinutes(60), { onWatchlist: true })
  expect(await app.db.select().from(programMarks).where(eq(programMarks.userId, member.user.id))).toHaveLength(2)
})

test('marks of programs that ended more than a day ago are deleted when the next mark is set', async () => {
  const { id } = await listedAt(60)
  await app.db.execute(sql`INSERT INTO program_marks (user_id, channel_id, starts_at, ends_at, title, on_watchlist)
    VALUES (${member.user.id}, ${id}, now() - interval '2 days', now() - interval '25 hours', 'Over', true)`)
  await mark(member, id, inMinutes(60), { onWatchlist: true })
  expect(await app.db.select().from(programMarks).where(eq(programMarks.userId, member.user.id))).toHaveLength(1)
})

describe('reminders', () => {
  test('are sent once, five minutes before the program and not earlier', async () => {
    const [soon, later, withoutReminder] = [await listedAt(4), await listedAt(7), await listedAt(3)]
    await mark(member, soon.id, inMinutes(4), { reminder: true })
    await mark(member, later.id, inMinutes(7), { reminder: true })
    await mark(member, withoutReminder.id, inMinutes(3), { onWatchlist: true })
    await Promise.all([remindPrograms(app.db), remindPrograms(app.db), remindPrograms(app.db)])
    await remindPrograms(app.db)
    expect((await reminders(member)).map(({ data }) => data)).toEqual([
      { title: 'Night Ferry', channelName: soon.name, channelId: soon.id, startsAt: inMinutes(4) },
    ])
  })

  test('are not sent again after the reminder was removed and set again', async () => {
    const { id } = await listedAt(4)
    await mark(member, id, inMinutes(4), { reminder: true })
    await remindPrograms(app.db)
    await mark(member, id, inMinutes(4), {})
    await mark(member, id, inMinutes(4), { reminder: true })
    await remindPrograms(app.db)
    expect(await reminders(member)).toHaveLength(1)
  })

  test('are dropped if they are late, the channel is hidden, or another program is listed', async () => {
    const [late, hidden, moved] = [await listedAt(4), await listedAt(4), await listedAt(4)]
    for (const { id } of [late, hidden, moved]) await mark(member, id, inMinutes(4), { reminder: true })
    await app.db.execute(
      sql`UPDATE program_marks SET starts_at = now() - interval '11 minutes' WHERE channel_id = ${late.id}`,
    )
    await app.db.update(channels).set({ hidden: true }).where(eq(channels.id, hidden.id))
    await app.db.execute(
      sql`UPDATE guide_programs SET title = 'Another' WHERE guide_channel_id = ${moved.guideChannelId}`,
    )
    expect(await remindPrograms(app.db)).toBe(0)
    expect(await reminders(member)).toEqual([])
    expect(
      await app.db.select().from(programMarks).where(sql`reminded_at IS NULL AND user_id = ${member.user.id}`),
    ).toEqual([])
  })
})
