import { afterAll, beforeAll, expect, test } from 'vitest'
import { guideSources } from '#server/db/tables.ts'
import { Metrics } from '#server/observability/metrics.ts'
import { bytes, transport } from '../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { watchStreams } from './server/watch-metrics.ts'

const mebibyte = 1024 * 1024
const metrics = new Metrics()
let world: WatchWorld
beforeAll(async () => {
  world = await watchWorld({ streamMost: 50, streamMemory: 36 * mebibyte })
  watchStreams(metrics, world.app.context)
})
afterAll(() => world.close())

/** Returns the values of this feature’s metrics, by name and labels. */
async function series(): Promise<Record<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => /^sauce_(plays|stream|guide)_?/.test(line))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

test('plays are counted by kind and result, and the free slots are reported', async () => {
  const { streams } = world.panel
  const news = await world.addChannel('news')
  const down = await world.addChannel('down')
  const tape = await world.addChannel('tape')
  streams.modes.down = bytes('', 'text/html', 500)
  streams.modes.tape = bytes('<html>Missing</html>', 'text/html', 404)
  streams.modes['tape.ts'] = transport()
  const [first, second, third] = [await world.signInViewer(), await world.signInViewer(), await world.signInViewer()]
  await world.play(first, news)
  await world.play(second, tape)
  await expect(world.play(third, down)).rejects.toMatchObject({ code: 'channel_down' })
  await expect(world.play(third, 999_999)).rejects.toMatchObject({ code: 'not_found' })
  const now = await series()
  expect(now).toMatchObject({
    'sauce_plays_opened_total{kind="live",result="played"}': 2,
    'sauce_plays_opened_total{kind="live",result="channel_down"}': 1,
    'sauce_plays_opened_total{kind="live",result="not_found"}': 1,
    'sauce_plays{kind="live"}': 2,
    'sauce_plays{kind="recording"}': 0,
    'sauce_stream_places_left{of="requests"}': 50,
    'sauce_stream_places_left{of="cut"}': 2,
    sauce_guide_age_seconds: 0,
  })
  expect(now.sauce_plays_opened_seconds_total).toBeGreaterThan(0)
})

test('the age of the guide is the age of its oldest enabled source with a URL', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  await world.app.db.insert(guideSources).values([
    { name: 'Fresh', sealed: 'v1:x', readAt: hoursAgo(1) },
    { name: 'Old', sealed: 'v1:x', readAt: hoursAgo(40) },
    { name: 'Off', sealed: 'v1:x', readAt: hoursAgo(90), enabled: false },
    { name: 'Uploaded', readAt: hoursAgo(90) },
  ])
  const { sauce_guide_age_seconds: age } = await series()
  expect(age).toBeGreaterThan(39.9 * 3_600)
  expect(age).toBeLessThan(40.1 * 3_600)
})
