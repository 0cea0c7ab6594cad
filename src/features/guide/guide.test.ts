import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateWatchlist } from '#features/watchlist/contract.ts'
import { channels } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { addListedChannel, minutesFromNow } from '../../../test/harness/guide-world.ts'
import { getGuide, getGuideNow, getProgram, searchGuide } from './contract.ts'
import { type CompactProgram, programOf } from './rules.ts'

let app: TestApp
let member: SignedIn
beforeAll(async () => {
  app = await buildApp()
  member = await app.signIn()
})
afterAll(() => app.close())

const evening = '2027-03-14T00:00:00.000Z'
const read = (query: { from: string; hours?: number; ids?: string; offset?: number; channels?: number }) =>
  member.client.call(getGuide, { query })
const titles = (programs: CompactProgram[]) => programs.map(([, , title]) => title)

describe('a request is refused', () => {
  test.each([
    ['from=yesterday', 'Please enter a time such as 2026-11-23T20:00:00Z'],
    ['from=0000-01-01T00:00:00Z', 'Please enter a time such as 2026-11-23T20:00:00Z'],
    ['from=2026-02-30T00:00:00Z', 'Please enter a time such as 2026-11-23T20:00:00Z'],
    ['', 'Please enter a time such as 2026-11-23T20:00:00Z'],
    [`from=${evening}&hours=7`, 'Please ask for 1 to 6 hours'],
    [`from=${evening}&hours=0`, 'Please ask for 1 to 6 hours'],
    [`from=${evening}&channels=41`, 'Please ask for 1 to 40 channels'],
    [`from=${evening}&offset=-1`, 'Please give the position of a channel'],
    [`from=${evening}&ids=1,x`, 'Please give at most 40 channel ids'],
    [`from=${evening}&ids=${Array.from({ length: 41 }, (_, n) => n + 1)}`, 'Please give at most 40 channel ids'],
  ])('for %s', async (query, message) => {
    const response = await member.client.request(`/api/guide?${query}`)
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([400, message])
  })

  test('without a session', async () => {
    for (const path of [`/api/guide?from=${evening}`, `/api/guide/search?q=news&from=${evening}`])
      expect((await app.client().request(path)).status).toBe(401)
  })

  test('for a search of one character or of more than 60', async () => {
    for (const q of ['a', 'a'.repeat(61)])
      expect((await member.client.request(`/api/guide/search?q=${q}&from=${evening}`)).status).toBe(400)
  })

  test.each([
    ['q=news', 'Please enter a time such as 2026-11-23T20:00:00Z'],
    [`q=news&from=${evening}&to=tomorrow`, 'Please enter a time such as 2026-11-23T20:00:00Z'],
    [`q=news&from=${evening}&to=2026-02-30T00:00:00Z`, 'Please enter a time such as 2026-11-23T20:00:00Z'],
    [`q=news&from=${evening}&category=`, 'Please name a category'],
    [`q=news&from=${evening}&category=${'x'.repeat(41)}`, 'Please use at most 40 characters'],
  ])('for a search with %s', async (query, message) => {
    const response = await member.client.request(`/api/guide/search?${query}`)
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([400, message])
  })

  test('for a program that is not listed, and for an invalid time or channel', async () => {
    const { id } = await addListedChannel(app.db, [{ startsAt: evening, minutes: 60, title: 'Harbor News' }])
    for (const path of [`${id}/2027-03-14T00:01:00.000Z`, `${id}/now`, `999999/${evening}`, `x/${evening}`])
      expect((await member.client.request(`/api/guide/programs/${path}`)).status).toBe(404)
  })
})

test('the guide lists what is on in the requested hours, with the times shown to customers', async () => {
  const { id } = await addListedChannel(
    app.db,
    [
      { startsAt: '2027-03-13T22:00:00Z', minutes: 60, title: 'Before' },
      {
        startsAt: '2027-03-13T23:00:00Z',
        minutes: 150,
        title: 'Long film',
        season: 2,
        episode: 5,
        subtitle: 'Low Tide',
      },
      {
        startsAt: '2027-03-14T01:30:20Z',
        minutes: 29,
        title: 'Short film',
        category: 'Comedy',
        isNew: true,
        features: 2 + 8,
        rating: 'TV-14',
      },
      { startsAt: '2027-03-14T02:00:00Z', minutes: 60, title: 'After' },
    ],
    { shiftMinutes: -60 },
  )
  const { rows } = await read({ from: '2027-03-13T23:00:00Z', hours: 2, ids: String(id) })
  expect(rows).toEqual([
    [
      id,
      [
        [-60, 150, 'Long film', 'S2 E5 · Low Tide', 0],
        [90 + 20 / 60, 29, 'Short film', 'Comedy', 1],
      ],
    ],
  ])
  const program = programOf(Date.parse('2027-03-13T23:00:00Z'), rows[0]![1][1]!)
  expect(program).toMatchObject({ startsAt: '2027-03-14T00:30:20.000Z', isNew: true })
  expect(await member.client.call(getProgram, { params: { channelId: id, startsAt: program.startsAt } })).toMatchObject(
    {
      channelId: id,
      title: 'Short film',
      endsAt: '2027-03-14T00:59:20.000Z',
      features: ['TV-14', 'HD', 'Subtitles'],
      more: [],
      earlier: [],
    },
  )
})

test('rows come in the requested order, even without listings; hidden channels are left out', async () => {
  const [first, second] = [await addListedChannel(app.db, []), await addListedChannel(app.db, [])]
  const hidden = await addListedChannel(app.db, [], { hidden: true })
  const { rows } = await read({ from: evening, ids: `${second.id},${hidden.id},${first.id},${second.id},999999` })
  expect(rows).toEqual([
    [second.id, []],
    [first.id, []],
  ])
  const part = await read({ from: evening, offset: 1, channels: 2 })
  const all = await read({ from: evening })
  expect(part.rows).toEqual(all.rows.slice(1, 3))
  expect(all.rows.map(([id]) => id)).not.toContain(hidden.id)
})

test('a browser caches the guide for five minutes and then asks whether it has changed', async () => {
  const { id, guideChannelId } = await addListedChannel(app.db, [{ startsAt: evening, minutes: 60, title: 'Tide' }])
  const path = `/api/guide?from=${evening}&ids=${id}`
  const first = await member.client.request(path)
  const etag = first.headers.get('etag')!
  expect(first.headers.get('cache-control')).toBe('private, max-age=300')
  const again = await member.client.request(path, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  await app.database.pool.query('UPDATE guide_programs SET title = $1 WHERE guide_channel_id = $2', [
    'Ebb',
    guideChannelId,
  ])
  expect((await member.client.request(path, { headers: { 'if-none-match': etag } })).status).toBe(200)
})

test('on a day of 23 hours the programs follow each other without a gap', async () => {
  // In New York the clock goes from 2 to 3 AM on March 14, 2027, which is 7 AM in UTC.
  const { id } = await addListedChannel(app.db, [
    { startsAt: '2027-03-14T01:30:00-05:00', minutes: 30, title: 'Before the change' },
    { startsAt: '2027-03-14T03:00:00-04:00', minutes: 60, title: 'After the change' },
  ])
  const { rows } = await read({ from: '2027-03-14T06:00:00Z', ids: String(id) })
  expect(rows[0]![1].map(([start, minutes]) => [start, minutes])).toEqual([
    [30, 30],
    [60, 60],
  ])
})

test('now and next lists the current program and the next two of each channel, with the shift; gaps stay gaps', async () => {
  const other = await buildApp()
  const inMinutes = minutesFromNow()
  const viewer = await other.signIn()
  const listed = await addListedChannel(other.db, [
    { startsAt: inMinutes(-90), minutes: 60, title: 'Over' },
    { startsAt: inMinutes(-30), minutes: 60, title: 'Running' },
    { startsAt: inMinutes(30), minutes: 60, title: 'Next' },
    { startsAt: inMinutes(90), minutes: 60, title: 'Later' },
    { startsAt: inMinutes(150), minutes: 60, title: 'Too late' },
  ])
  const shifted = await addListedChannel(other.db, [{ startsAt: inMinutes(60), minutes: 30, title: 'An hour early' }], {
    shiftMinutes: -60,
  })
  const gap = await addListedChannel(other.db, [
    { startsAt: inMinutes(-60), minutes: 30, title: 'Ended before the gap' },
    { startsAt: inMinutes(30), minutes: 30, title: 'After the gap' },
  ])
  const hidden = await addListedChannel(other.db, [{ startsAt: inMinutes(-5), minutes: 30, title: 'Hidden' }], {
    hidden: true,
  })
  // Visitors may read what is on now, because the channel cards show it.
  const { rows, readAt } = await other.client().call(getGuideNow, {})
  const of = new Map(rows)
  expect(titles(of.get(listed.id)!)).toEqual(['Running', 'Next', 'Later'])
  expect(titles(of.get(shifted.id)!)).toEqual(['An hour early'])
  expect(titles(of.get(gap.id)!)).toEqual(['After the gap'])
  expect(of.has(hidden.id)).toBe(false)
  expect(readAt).not.toBeNull()
  expect(programOf(0, of.get(listed.id)![0]!).startsAt).toBe(inMinutes(-30))

  // All callers within a minute share one query.
  let reads = 0
  const { query } = other.database.pool
  other.database.pool.query = ((...args: unknown[]) => {
    if (JSON.stringify(args[0])?.includes('guide_programs')) reads++
    return (query as (...all: unknown[]) => unknown).apply(other.database.pool, args)
  }) as typeof query
  await Promise.all(Array.from({ length: 20 }, () => viewer.client.call(getGuideNow, {})))
  expect(reads).toBeLessThanOrEqual(1)
  await other.close()
})

test('a search finds up to 50 programs by the beginnings of words, in order of time, from a given time on', async () => {
  const { id } = await addListedChannel(
    app.db,
    Array.from({ length: 60 }, (_, n) => ({
      startsAt: new Date(Date.parse(evening) + n * 3_600_000).toISOString(),
      minutes: 60,
      title: n % 2 ? 'The Lighthouse Keeper' : 'Lighthouse Nights',
    })),
    { shiftMinutes: 60 },
  )
  const search = (q: string, from = evening) => member.client.call(searchGuide, { query: { q, from } })
  expect(await search('light')).toHaveLength(50)
  const found = await search('keep  LIGHTH')
  expect(found).toHaveLength(30)
  expect(found[0]).toEqual({
    channelId: id,
    startsAt: '2027-03-14T02:00:00.000Z',
    endsAt: '2027-03-14T03:00:00.000Z',
    title: 'The Lighthouse Keeper',
    detail: '',
    isNew: false,
  })
  expect(await search('light', '2027-03-16T12:00:00Z')).toHaveLength(1)
  expect(await search("' & | ! :*")).toEqual([])
  expect(await search('keeper lamp')).toEqual([])
})

test('a search can be limited to a category, to favorites or to a day, including a day of 23 hours', async () => {
  // The day of March 13, 2027 in New York, from 6 AM to 6 AM.
  const [from, to] = ['2027-03-13T11:00:00.000Z', '2027-03-14T10:00:00.000Z']
  const times = ['2027-03-13T10:00:00Z', '2027-03-13T10:30:00Z', '2027-03-14T09:30:00Z', '2027-03-14T10:00:00Z']
  const programs = times.map((startsAt) => ({ startsAt, minutes: 60, title: 'Otter Hour' }))
  const [first, second] = [await addListedChannel(app.db, programs), await addListedChannel(app.db, programs)]
  await app.db.update(channels).set({ category: 'kids' }).where(eq(channels.id, second.id))
  await member.client.call(updateWatchlist, { params: { channelId: first.id }, body: { listed: true } })
  const search = async (more: { category?: string; to?: string }, by = member) =>
    (await by.client.call(searchGuide, { query: { q: 'otter', from, ...more } })).map(({ channelId, startsAt }) => [
      channelId,
      startsAt.slice(8, 16),
    ])
  const kids = ['13T10:30', '14T09:30', '14T10:00'].map((time) => [second.id, time])
  expect(await search({ category: 'kids' })).toEqual(kids)
  expect(await search({ category: 'kids', to })).toEqual(kids.slice(0, 2))
  expect(await search({ category: 'favorites', to })).toEqual([
    [first.id, '13T10:30'],
    [first.id, '14T09:30'],
  ])
  expect(await search({})).toHaveLength(6)
  expect(await search({ category: 'unknown' })).toEqual([])
  expect(await search({ category: 'favorites' }, await app.signIn())).toEqual([])
})

test('a program has its description, up to six other showings of its title that have not ended, and up to six that have', async () => {
  const inMinutes = minutesFromNow()
  const day = 24 * 60
  const numbers = Array.from({ length: 17 }, (_, n) => n - 8)
  const { id } = await addListedChannel(
    app.db,
    [
      ...numbers.map((n) => ({
        // Today's showing is on now.
        startsAt: inMinutes(n * day + 60 - 10),
        minutes: 30,
        title: 'Night Ferry',
        description: `Part ${n}`,
      })),
      { startsAt: inMinutes(2 * day), minutes: 30, title: 'Another' },
    ],
    { shiftMinutes: -60 },
  )
  const other = await addListedChannel(app.db, [{ startsAt: inMinutes(90), minutes: 30, title: 'Night Ferry' }])
  const read = async (n: number) => {
    const program = await member.client.call(getProgram, {
      params: { channelId: id, startsAt: inMinutes(n * day - 10) },
    })
    const numbersOf = (showings: { channelId: number; startsAt: string }[]) =>
      showings.map(({ channelId, startsAt }) => {
        expect(channelId).toBe(id)
        return (Date.parse(startsAt) - Date.parse(inMinutes(-10))) / (day * 60_000)
      })
    return { text: program.description, more: numbersOf(program.more), earlier: numbersOf(program.earlier) }
  }
  expect(await read(2)).toEqual({ text: 'Part 2', more: [0, 1, 3, 4, 5, 6], earlier: [-1, -2, -3, -4, -5, -6] })
  // More than six showings have ended since this one, but the upcoming ones are still found.
  expect(await read(-8)).toEqual({ text: 'Part -8', more: [0, 1, 2, 3, 4, 5], earlier: [-1, -2, -3, -4, -5, -6] })
  expect(await read(-1)).toMatchObject({ earlier: [-2, -3, -4, -5, -6, -7] })
  const alone = await member.client.call(getProgram, { params: { channelId: other.id, startsAt: inMinutes(90) } })
  expect(alone).toMatchObject({ more: [], earlier: [] })
})
