// How the server learns what a panel does with a line that has no connection left, and how this changes the way in which channels are requested.
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { channelStreams, plays, streamPanels } from '#server/db/tables.ts'
import type { SignedIn } from '../../../../../test/harness/app.ts'
import { bytes, playlist, type StreamMode, segmentOf, transport } from '../../../../../test/harness/fake-streams.ts'
import { countedChannel, type FullLineBehavior } from '../../../../../test/harness/line-connections.ts'
import { type WatchWorld, watchWorld } from '../../../../../test/harness/watch-world.ts'
import { relayOf } from '../relay/relay.ts'

/** How long the panel counts HLS after its last request, in milliseconds. */
const hlsMs = 700
const missing = bytes('<html>Missing</html>', 'text/html', 404)
const forbidden = bytes('<html>No</html>', 'text/html', 403)

let world: WatchWorld
beforeAll(async () => {
  world = await watchWorld()
})
afterAll(() => world.close())
beforeEach(() => world.app.db.delete(streamPanels).then(() => undefined))

const panel = async () => (await world.app.db.select().from(streamPanels))[0]
const learn = (overLimit: 'refuses' | 'closes_oldest', ago = '0 days') =>
  world.app.db
    .insert(streamPanels)
    .values({ host: new URL(world.panel.url).host, overLimit, overLimitAt: sql`now() - ${ago}::interval` })
const codeOf = (opened: Promise<unknown>) =>
  opened.then(
    () => 'played',
    ({ code }: { code: string }) => code,
  )
let serial = 0
/** Adds two channels with HLS and a transport stream on a panel that counts the connections of a line. */
async function twoChannels(manner: FullLineBehavior) {
  const { streams } = world.panel
  const name = `full${++serial}`
  const counted = countedChannel(manner, 1, { hlsMs, streams: () => streams })
  Object.assign(streams.modes, { [name]: counted.playlist, [`${name}.ts`]: counted.mode })
  return { counted, first: await world.addChannel(name), second: await world.addChannel(name) }
}
/** Adds a channel that the panel sends in these forms. */
async function channelWith(hls: StreamMode, ts: StreamMode): Promise<number> {
  const name = `forms${++serial}`
  Object.assign(world.panel.streams.modes, { [name]: hls, [`${name}.ts`]: ts })
  return world.addChannel(name)
}
const hls: StreamMode = (...call) =>
  playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', `${world.panel.streams.balancer}/one.ts`)(...call)
/** Returns the forms in which a channel was requested from the panel since the last call of this function. */
function formsAsked(): string[] {
  const { requests } = world.panel.streams
  const forms = requests.filter((path) => path.includes('/live/')).map((path) => path.split('.').at(-1)!)
  requests.length = 0
  return forms
}
async function picture(viewer: SignedIn, address: string): Promise<boolean> {
  const { addresses } = await world.readPlaylist(viewer, address)
  const response = addresses[0] ? await viewer.client.request(addresses[0]) : undefined
  return response?.status === 200 && (await response.arrayBuffer()).byteLength > 0
}

describe('a refusal after a channel change does not show that the panel refuses full lines if', () => {
  test('the line is refused again, because it is banned', async () => {
    let isBanned = false
    const banned: StreamMode = (...call) => (isBanned ? forbidden : hls)(...call)
    const [first, second] = [await channelWith(banned, banned), await channelWith(banned, banned)]
    const viewer = await world.signInViewer(1)
    await world.play(viewer, first)
    isBanned = true
    for (const channel of [second, second, first]) expect(await codeOf(world.play(viewer, channel))).toBe('too_many')
    expect(await panel()).toBeUndefined()
  })

  test('only that channel is refused, and another channel plays', async () => {
    const [first, second] = [await channelWith(hls, hls), await channelWith(forbidden, forbidden)]
    const viewer = await world.signInViewer(1)
    await world.play(viewer, first)
    expect(await codeOf(world.play(viewer, second))).toBe('too_many')
    await world.play(viewer, first)
    expect(await panel()).toBeUndefined()
  })

  test('the stream was not refused, but ended repeatedly', async () => {
    const film = transport({ burst: 4, seconds: 4 })
    let isWhole = false
    const [channel, viewer] = [
      await channelWith(missing, (...call) => (isWhole ? transport() : film)(...call)),
      await world.signInViewer(1),
    ]
    const { id } = await world.play(viewer, channel)
    const why = async () => (await world.app.db.select().from(plays).where(eq(plays.id, id)))[0]?.why
    await expect.poll(why, { timeout: 5_000 }).toBe('too_many')
    isWhole = true
    await world.play(viewer, channel)
    expect(await panel()).toBeUndefined()
  })

  test('the channel then plays for another customer', async () => {
    const { first, second } = await twoChannels('refuses')
    const [viewer, other] = [await world.signInViewer(1), await world.signInViewer(1)]
    await world.play(viewer, first)
    expect(await codeOf(world.play(viewer, second))).toBe('too_many')
    await world.play(other, second)
    expect(await panel()).toBeUndefined()
  })
})

test('a panel that refuses a channel and later plays it refuses full lines; then changed channels play immediately, as transport streams', async () => {
  const { counted, first, second } = await twoChannels('refuses')
  const viewer = await world.signInViewer(1)
  await world.play(viewer, first)
  expect(await codeOf(world.play(viewer, second))).toBe('too_many')
  await expect.poll(() => codeOf(world.play(viewer, second)), { timeout: 5_000 }).toBe('played')
  await expect.poll(panel).toMatchObject({ overLimit: 'refuses', overLimitAt: expect.any(String) })
  // The panel still counts the HLS stream that is playing now.
  await expect.poll(() => codeOf(world.play(viewer, first)), { timeout: 5_000 }).toBe('played')
  formsAsked()
  const before = counted.over()
  for (const channel of [second, first, second]) {
    const { address } = await world.play(viewer, channel)
    expect(await picture(viewer, address)).toBe(true)
  }
  expect(formsAsked()).toEqual(['ts', 'ts', 'ts'])
  expect([counted.over() - before, counted.most()]).toEqual([0, 1])
  // Other customers use HLS when they have another screen.
  const learned = await world.app.db
    .select()
    .from(channelStreams)
    .where(inArray(channelStreams.channelId, [first, second]))
  expect(learned.filter(({ isTransport }) => isTransport)).toEqual([])
})

test('a panel that plays a channel while it still counts the last one does not refuse full lines; channels are requested as before', async () => {
  const { first, second } = await twoChannels('closes_oldest')
  const viewer = await world.signInViewer(1)
  const { id } = await world.play(viewer, first)
  await world.play(viewer, second)
  // The first channel may not have been requested yet when it was left.
  expect(await panel()).toBeUndefined()
  await world.app.db.update(plays).set({ openedAt: sql`now() - interval '6 seconds'` }).where(eq(plays.id, id))
  formsAsked()
  await world.play(viewer, first)
  await expect.poll(panel).toMatchObject({ overLimit: 'closes_oldest' })
  expect(formsAsked()).toEqual(['m3u8'])
})

describe('on a panel that refuses full lines a channel is requested as HLS', () => {
  test('while another screen is left, and as a transport stream on the last screen', async () => {
    await learn('refuses')
    const [channel, viewer] = [await channelWith(hls, transport()), await world.signInViewer(2)]
    formsAsked()
    await world.play(viewer, channel)
    expect(formsAsked()).toEqual(['m3u8'])
    await world.app.db.update(plays).set({ deviceId: null }).where(eq(plays.userId, viewer.user.id))
    await world.play(viewer, channel)
    expect(formsAsked()).toEqual(['ts'])
  })

  test('if it has no transport stream', async () => {
    await learn('refuses')
    const [channel, viewer] = [await channelWith(hls, missing), await world.signInViewer(1)]
    formsAsked()
    world.panel.streams.files['/one.ts'] = bytes(segmentOf(0))
    expect(await picture(viewer, (await world.play(viewer, channel)).address)).toBe(true)
    expect(formsAsked()).toEqual(['ts', 'm3u8'])
  })

  test('after its transport stream could not be read', async () => {
    await learn('refuses')
    const noTables: StreamMode = (response) => {
      response.writeHead(200)
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(188 * 5_000, 0x47)));
      }
      response.on('drain', write)
      write()
    }
    const [channel, viewer] = [await channelWith(hls, noTables), await world.signInViewer(1)]
    await world.play(viewer, channel)
    const ended = () => world.app.db.select().from(plays).where(eq(plays.userId, viewer.user.id))
    await expect.poll(async () => (await ended())[0]?.why, { timeout: 10_000 }).toBe('bad_stream')
    formsAsked()
    await world.play(viewer, channel)
    expect(formsAsked()).toEqual(['m3u8'])
  })

  test('30 days after the panel was seen to refuse', async () => {
    await learn('refuses', '31 days')
    const [channel, viewer] = [await channelWith(hls, transport()), await world.signInViewer(1)]
    formsAsked()
    await world.play(viewer, channel)
    expect(formsAsked()).toEqual(['m3u8'])
  })

  test('by a process without memory for its segments', async () => {
    const small = await watchWorld({ streamMemory: 1 })
    onTestFinished(small.close)
    const { streams } = small.panel
    Object.assign(streams.modes, { both: playlist('#EXTM3U', '#EXTINF:2,', 'a.ts'), 'both.ts': transport() })
    await small.app.db
      .insert(streamPanels)
      .values({ host: new URL(small.panel.url).host, overLimit: 'refuses', overLimitAt: sql`now()` })
    await small.play(await small.signInViewer(1), await small.addChannel('both'))
    expect(streams.requests.filter((path) => path.includes('/live/'))).toEqual([expect.stringContaining('.m3u8')])
  })
})

test('after the process of a transport stream has ended, the transport stream is requested again, although the panel has HLS', async () => {
  await learn('refuses')
  const [channel, viewer] = [await channelWith(hls, transport()), await world.signInViewer(1)]
  const { id, generation, address } = await world.play(viewer, channel)
  relayOf(world.app.context).packaged.find(id, generation)!.close()
  formsAsked()
  expect(await picture(viewer, address)).toBe(true)
  expect(formsAsked()).toEqual(['ts'])
  await world.app.db
    .update(plays)
    .set({ endedAt: sql`now()`, why: 'closed' })
    .where(and(eq(plays.id, id), isNull(plays.endedAt)))
})

/** Makes writes to a table fail until the test ends. `when`: which writes, as a condition on the new row. */
async function refuseWrites(table: 'stream_panels' | 'plays', when: string): Promise<void> {
  await world.app.database.pool.query(`
    CREATE FUNCTION no_writes() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no writes''; END';
    CREATE TRIGGER no_writes BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION no_writes()`)
  onTestFinished(async () => {
    await world.app.database.pool.query('DROP FUNCTION no_writes CASCADE')
  })
}
/** The log warnings with this text. */
const warnings = (text: string) => world.app.logs.filter((line) => line.includes(`"level":40`) && line.includes(text))

describe('a failed write for which no viewer waits is logged', () => {
  test('when it concerns what a panel does with full lines, and the channel plays', async () => {
    const { first, second } = await twoChannels('refuses')
    const viewer = await world.signInViewer(1)
    await world.play(viewer, first)
    expect(await codeOf(world.play(viewer, second))).toBe('too_many')
    await refuseWrites('stream_panels', 'true')
    await expect.poll(() => codeOf(world.play(viewer, second)), { timeout: 5_000 }).toBe('played')
    await expect.poll(() => warnings('what a panel does with full lines could not be stored')).toHaveLength(1)
    expect(await panel()).toBeUndefined()
  })

  test('when it concerns why a play ended', async () => {
    const channel = await channelWith(missing, transport({ burst: 4, seconds: 4 }))
    await refuseWrites('plays', "NEW.why = 'too_many'")
    await world.play(await world.signInViewer(1), channel)
    await expect
      .poll(() => warnings('why a play ended could not be stored'), { timeout: 5_000 })
      .toEqual([expect.stringContaining('no writes')])
  })
})
