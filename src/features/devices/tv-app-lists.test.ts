import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelStreams, channels } from '#server/db/tables.ts'
import { newTvApp } from '../../../test/harness/tv-app.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'

let world: WatchWorld
let news: number
beforeAll(async () => {
  world = await watchWorld()
  news = await world.addChannel('news')
})
afterAll(() => world.close())

test.each([
  ['type=enigma22_script', 'There are the types m3u and m3u_plus.'],
  ['type=M3U', 'There are the types m3u and m3u_plus.'],
  ['type=toString&output=ts', 'There are the types m3u and m3u_plus.'],
  ['type=m3u&output=rtmp', 'There are the outputs m3u8 and ts.'],
  ['output=constructor', 'There are the outputs m3u8 and ts.'],
])('the playlist with %s is refused, and the reason does not repeat it', async (query, reason) => {
  const { list } = await newTvApp(world.app, await world.signInViewer())
  const response = await list(`&${query}`)
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    400,
    'text/plain; charset=utf-8',
    reason,
  ])
})

test('wrong credentials get the same answer for every type of playlist', async () => {
  const { login, get } = await newTvApp(world.app, await world.signInViewer())
  for (const query of ['', '&type=m3u', '&type=none', '&output=rtmp']) {
    const response = await get(`/get.php?username=${login.username}&password=wrong${query}`)
    expect([response.status, await response.text()]).toEqual([404, 'Not found'])
  }
})

test('the playlist has the type and the addresses that the app asks for, and every address plays', async () => {
  const { list, login, get } = await newTvApp(world.app, await world.signInViewer())
  const address = `http://localhost:3000/live/${login.username}/${login.password}/${news}`
  const linesOf = async (query: string) => (await (await list(query)).text()).split('\n')
  expect(await linesOf('&type=m3u&output=ts')).toEqual(['#EXTM3U', '#EXTINF:-1,Channel 1', `${address}.ts`, ''])
  expect(await linesOf('&type=m3u')).toEqual(['#EXTM3U', '#EXTINF:-1,Channel 1', `${address}.m3u8`, ''])
  for (const [output, extension] of [
    ['', 'm3u8'],
    ['m3u8', 'm3u8'],
    ['hls', 'm3u8'],
    ['ts', 'ts'],
    ['mpegts', 'ts'],
  ]) {
    const [head, entry, url] = await linesOf(`&type=m3u_plus&output=${output}`)
    expect(head).toContain('x-tvg-url=')
    expect(entry).toContain('group-title="News"')
    expect(url).toBe(`${address}.${extension}`)
    const played = await get(new URL(url!).pathname)
    expect([played.status, played.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl'])
  }
})

test('a channel has the number that it has on the site, in every list; one without a number follows after the highest', async () => {
  const world = await watchWorld()
  const [first, last] = [await world.addChannel('news'), await world.addChannel('tape')]
  const sports = await world.addChannel('sport')
  await world.app.db.update(channels).set({ category: 'sports' }).where(eq(channels.id, sports))
  await world.app.db.insert(channelStreams).values([
    { channelId: last, number: 12 },
    { channelId: sports, number: 3 },
  ])
  const { api, list } = await newTvApp(world.app, await world.signInViewer())
  const numbers = async (query = '') =>
    ((await api(`&action=get_live_streams${query}`)) as { stream_id: number; num: number }[]).map(
      ({ stream_id, num }) => [stream_id, num],
    )
  const all = [
    [sports, 3],
    [first, 13],
    [last, 12],
  ]
  expect(await numbers()).toEqual(all)
  const categories = (await api('&action=get_live_categories')) as { category_id: string; category_name: string }[]
  for (const [name, listed] of [
    ['Sports', all.slice(0, 1)],
    ['News', all.slice(1)],
  ] as const)
    expect(
      await numbers(`&category_id=${categories.find((each) => each.category_name === name)!.category_id}`),
    ).toEqual(listed)
  const text = await (await list()).text()
  expect(
    [...text.matchAll(/tvg-id="(\d+)".*? (tvg-chno="\d+" )?tvg-logo/g)].map(([, id, number]) => [id, number]),
  ).toEqual([
    [String(sports), 'tvg-chno="3" '],
    [String(first), undefined],
    [String(last), 'tvg-chno="12" '],
  ])
  await world.close()
})
