// Real players open the links for TV apps: ffprobe and ffmpeg, and VLC.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppLogin } from '#features/devices/contract.ts'
import { channelRights, channelStreams, lines, users } from '#server/db/tables.ts'
import { addListings } from '../../harness/app-database.ts'
import { type FakePanel, startFakePanel } from '../../harness/fake-panel.ts'
import { bytes, transport } from '../../harness/fake-streams.ts'
import type { HttpUser } from '../../harness/http-user.ts'
import { decode, ffmpeg, ffprobe, type Probed, probe, type Shown, showInVlc, vlc } from '../../harness/media-players.ts'
import { type StreamApp, startStreamApp } from '../../harness/stream-app.ts'

const hourMs = 3_600_000
const picture = { video: 'h264 320 x 180', audio: 'aac', error: '' }

let panel: FakePanel
let installation: StreamApp
let [news, direct, tape] = [0, 0, 0]

beforeAll(async () => {
  panel = await startFakePanel()
  const { streams } = panel
  streams.modes['tape.ts'] = transport({ burst: 8 })
  streams.modes.tape = bytes('<html>Missing</html>', 'text/html', 404)
  installation = await startStreamApp({ panel, streams: ['news.1', 'direct.1', 'tape.1'] })
  ;[news = 0, direct = 0, tape = 0] = installation.channels
  const { db } = installation
  await db.insert(channelStreams).values({ channelId: tape, archiveDays: 2, number: 7 })
  await db.update(channelRights).set({ archiveHours: 48 }).where(eq(channelRights.channelId, tape))
  await addListings(installation.dataDir)
}, 120_000)
afterAll(async () => {
  await installation?.close()
  await panel?.close()
})

/** Creates a customer with `connections` screens. Returns one of the customer's browsers. */
async function newViewer(connections = 1): Promise<HttpUser> {
  const [[viewer]] = (await installation.viewers({ count: 1, connections })) as [[HttpUser]]
  return viewer
}
async function newApp(viewer: HttpUser): Promise<AppLogin> {
  const { status, body } = await viewer.send(installation.app.url, 'POST', '/api/devices', { name: 'Living room' })
  expect(status).toBe(200)
  return body as AppLogin
}
async function remove(viewer: HttpUser, { id }: AppLogin): Promise<void> {
  const { url } = installation.app
  const headers = { origin: url, cookie: viewer.cookie(), 'content-type': 'application/json' }
  const { status } = await fetch(`${url}/api/devices/${id}`, { method: 'DELETE', headers, body: '{}' })
  expect(status).toBe(200)
}
const at = ({ server, username, password }: AppLogin, path: string) =>
  `${server}${path.replace('NAME', username).replace('PASSWORD', password)}`
const liveAddress = (login: AppLogin, file: number | string) => at(login, `/live/NAME/PASSWORD/${file}`)
const listAddress = (login: AppLogin) => at(login, '/get.php?username=NAME&password=PASSWORD&type=m3u_plus')
/** Returns the address of the recording of the program that was on two hours ago. */
function tapeAddress(login: AppLogin): string {
  const start = new Date(Math.floor(Date.now() / hourMs) * hourMs - 2 * hourMs).toISOString().slice(0, 16)
  return at(login, `/timeshift/NAME/PASSWORD/60/${start.replace(':', '-').replace('T', ':')}/${tape}.ts`)
}
const noStreamLeft = () => expect.poll(() => panel.streams.open(), { timeout: 45_000 }).toBe(0)
/** Returns the expected result of `probe` for an address that is refused with this status. */
const refused = (address: string, status: string): Probed => ({
  ...{ format: '', video: '', audio: '' },
  error: `${address}: ${status}`,
})
const notFound = 'Server returned 404 Not Found'
const forbidden = 'Server returned 403 Forbidden (access denied)'

// Needs Debian's package `ffmpeg`.
describe.runIf(ffprobe && ffmpeg)('in ffmpeg', () => {
  test('every playlist address, every URL form and a recording play with picture and sound', {
    timeout: 240_000,
  }, async () => {
    const login = await newApp(await newViewer())
    const listed: string[] = []
    for (const output of ['', '&output=ts']) {
      const text = await (await fetch(login.playlistUrl.replace(/&output=.*/, output))).text()
      listed.push(...text.split('\n').filter((line) => line.startsWith('http')))
    }
    expect(listed).toEqual(
      ['m3u8', 'ts'].flatMap((extension) => [news, direct, tape].map((id) => liveAddress(login, `${id}.${extension}`))),
    )
    const addresses = [
      ...listed,
      liveAddress(login, news),
      ...[`${news}`, `${tape}.ts`, `${direct}.m3u8`].map((file) => at(login, `/NAME/PASSWORD/${file}`)),
      tapeAddress(login),
    ]
    for (const address of addresses) expect(await probe(address), address).toEqual({ format: 'hls', ...picture })
    for (const address of [listed[0]!, listed[5]!, tapeAddress(login)]) {
      const { code, errors, frames } = await decode(address, 16).ended
      // The test stream restarts every twelve seconds, which causes this warning.
      const unexpected = errors.split('\n').filter((line) => line && !line.includes('non monotonically increasing dts'))
      expect([code, unexpected], address).toEqual([0, []])
      expect(frames, address).toBeGreaterThan(16 * 25 - 5)
    }
    await noStreamLeft()
  })

  test('wrong and removed credentials, a channel that is not offered and an ended subscription are refused', {
    timeout: 120_000,
  }, async () => {
    const viewer = await newViewer()
    const [login, removed] = [await newApp(viewer), await newApp(viewer)]
    await remove(viewer, removed)
    const wrong = [{ ...login, password: 'a'.repeat(16) }, { ...login, username: 'a'.repeat(8) }, removed]
    for (const typed of wrong)
      for (const address of [
        ...['m3u8', 'ts'].map((extension) => liveAddress(typed, `${news}.${extension}`)),
        at(typed, `/NAME/PASSWORD/${news}`),
        tapeAddress(typed),
        listAddress(typed),
      ])
        expect(await probe(address)).toEqual(refused(address, notFound))
    const missing = liveAddress(login, 99_999_999)
    expect(await probe(missing)).toEqual(refused(missing, notFound))
    const { db } = installation
    const [row] = await db.select({ userId: users.id }).from(users).where(eq(users.username, viewer.name))
    await db.update(lines).set({ wantedEnabled: false }).where(eq(lines.userId, row!.userId))
    const ended = liveAddress(login, `${news}.m3u8`)
    expect(await probe(ended)).toEqual(refused(ended, forbidden))
  })

  test('a second app is refused while all screens are in use, the first one keeps playing, and a removed app stops', {
    timeout: 120_000,
  }, async () => {
    const viewer = await newViewer()
    const [first, second] = [await newApp(viewer), await newApp(viewer)]
    const playing = decode(liveAddress(first, `${tape}.ts`), 600)
    await expect.poll(playing.frames, { timeout: 30_000 }).toBeGreaterThan(50)
    const full = liveAddress(second, `${news}.m3u8`)
    expect(await probe(full)).toEqual(refused(full, forbidden))
    const before = playing.frames()
    await expect.poll(playing.frames, { timeout: 30_000 }).toBeGreaterThan(before + 100)

    await remove(viewer, first)
    const removedAt = performance.now()
    await expect.poll(() => panel.streams.open(), { timeout: 5_000 }).toBe(0)
    expect(await probe(full)).toEqual({ format: 'hls', ...picture })
    await playing.ended
    console.log(`ffmpeg ended ${((performance.now() - removedAt) / 1000).toFixed(1)} s after its app was removed`)
    await noStreamLeft()
  })
})

// Needs Debian's packages `vlc-bin` and `vlc-plugin-base`.
describe.runIf(vlc)('in VLC', () => {
  const enough = { pictures: 100, maxMs: 40_000 }
  const expectShown = ({ pictures, sounds, output }: Shown) => {
    expect(pictures, output).toBeGreaterThanOrEqual(enough.pictures)
    expect(sounds, output).toBeGreaterThan(50)
  }

  test('the playlist is listed and its first channel plays; every URL form and a recording play, too', {
    timeout: 300_000,
  }, async () => {
    const login = await newApp(await newViewer())
    const list = await showInVlc(login.playlistUrl, { pictures: 500, maxMs: 90_000 })
    expectShown(list)
    expect(list.pictures).toBeGreaterThanOrEqual(500)
    expect(list.titles).toEqual(['Stream 100', 'Stream 101', 'Stream 102'])
    for (const address of [
      liveAddress(login, `${news}.ts`),
      liveAddress(login, `${direct}.m3u8`),
      liveAddress(login, `${tape}.ts`),
      at(login, `/NAME/PASSWORD/${news}`),
      tapeAddress(login),
    ])
      expectShown(await showInVlc(address, enough))
    await noStreamLeft()
  })

  test('wrong credentials, a removed app and an app without a free screen show nothing', {
    timeout: 180_000,
  }, async () => {
    const viewer = await newViewer()
    const [login, removed] = [await newApp(viewer), await newApp(viewer)]
    await remove(viewer, removed)
    const few = { pictures: 1, maxMs: 6_000 }
    for (const typed of [{ ...login, password: 'a'.repeat(16) }, removed])
      for (const address of [liveAddress(typed, `${news}.ts`), listAddress(typed)])
        expect((await showInVlc(address, few)).pictures).toBe(0)
    const { url } = installation.app
    const { body } = await viewer.send(url, 'POST', '/api/plays', { channelId: direct })
    // Keeps the screen of the browser in use: a play counts only while its stream is read.
    const reading = setInterval(
      () => void fetch(url + String(body.address), { headers: { cookie: viewer.cookie() } }).catch(() => undefined),
      2_000,
    )
    const { pictures, output } = await showInVlc(liveAddress(login, `${news}.m3u8`), few)
    clearInterval(reading)
    expect(pictures, output).toBe(0)
  })
})
