import { afterAll, beforeAll, expect, test } from 'vitest'
import { bytes, playlist, segmentOf } from '../../../../test/harness/fake-streams.ts'
import { type ServedApp, serveApp } from '../../../../test/harness/served-app.ts'
import { withUnavailableTable } from '../../../../test/harness/unavailable-table.ts'
import { type WatchWorld, watchWorld } from '../../../../test/harness/watch-world.ts'

let world: WatchWorld
let served: ServedApp
beforeAll(async () => {
  world = await watchWorld()
  served = await serveApp(world.app)
})
afterAll(async () => {
  served.close()
  await world.close()
})

/** Headers that depend on the connection, which are not compared. */
const ofConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']
async function contentOf(response: Response) {
  const headers = [...response.headers].filter(([name]) => !ofConnection.includes(name))
  return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()).toString('latin1') }
}

test('a request that is answered without Hono gets the same response as one that Hono handles', async () => {
  const { streams } = world.panel
  streams.files['/same.ts'] = bytes(segmentOf(0))
  streams.files['/down.ts'] = bytes('<html>Down</html>', 'text/html', 500)
  const uris = ['/same.ts', '/down.ts'].flatMap((path) => ['#EXTINF:2,', streams.balancer + path])
  streams.modes.same = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', ...uris)
  const channel = await world.addChannel('same')
  const viewer = await world.signInViewer()
  const older = await world.play(viewer, channel)
  const { id, address } = await world.play(viewer, channel)
  const [segment = '', down = ''] = (await world.readPlaylist(viewer, address)).addresses
  const changed = address.replace(/(.)\.m3u8$/, (_, last) => `${last === 'A' ? 'B' : 'A'}.m3u8`)
  const expectSame = async (path: string, status: number, headers: Record<string, string> = {}, method = 'GET') => {
    const direct = await contentOf(await fetch(served.url + path, { headers, method }))
    expect([path, direct]).toEqual([path, await contentOf(await world.app.app.request(path, { headers, method }))])
    expect([path, direct.status]).toEqual([path, status])
  }
  await expectSame(address, 200)
  await expectSame(segment, 200)
  await expectSame(`${segment}?again`, 200)
  await expectSame(down, 504)
  await expectSame(changed, 404)
  await expectSame(older.address, 404)
  await expectSame('/stream/x/y.ts', 404)
  await expectSame(segment, 403, { 'sec-fetch-site': 'cross-site' })
  await expectSame(segment, 416, { range: 'bytes=0-1,4-5' })
  await expectSame(segment, 405, {}, 'HEAD')
  await viewer.client.request(`/api/plays/${id}`, { method: 'DELETE', body: '{}' })
  await expectSame(segment, 410)
})

test('while the database is unavailable, a request that is answered without Hono gets 503, and its address is not logged', async () => {
  const viewer = await world.signInViewer()
  const { address } = await world.play(viewer, await world.addChannel('direct'))
  await withUnavailableTable(world.app.database.pool, 'plays', async () => {
    const response = await fetch(served.url + address)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await response.json()).toMatchObject({ code: 'unavailable' })
  })
  const logged = world.app.logs.filter((line) => line.includes('database unavailable')).join('\n')
  const [, , play, sealed] = address.split('/')
  expect(logged).toContain(`/stream/${play}`)
  expect(logged).not.toContain(sealed)
})
