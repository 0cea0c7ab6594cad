import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { channelStreams, channels } from '#server/db/tables.ts'
import { newTvApp } from '../../../test/harness/tv-app.ts'
import { watchWorld } from '../../../test/harness/watch-world.ts'

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
