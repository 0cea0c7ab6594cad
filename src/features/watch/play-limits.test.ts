// Which places are kept for paid lines.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { lines, trialRequests } from '#server/db/tables.ts'
import { seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { linePassword } from '../../../test/harness/fake-panel.ts'
import { bytes, segmentOf } from '../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { relayOf } from './server/relay/relay.ts'

const send = ({ client }: SignedIn, method: string, path: string, body?: object) =>
  client.request(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
const answerOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

describe('the last tenth of the places', () => {
  let world: WatchWorld
  let news: number
  let slow: number
  beforeAll(async () => {
    world = await watchWorld({ streamMost: 10 })
    news = await world.addChannel('direct')
    slow = await world.addChannel('slow')
    const { streams } = world.panel
    streams.files['/slow.ts'] = (response) => {
      response.writeHead(200, { 'content-type': 'video/mp2t' })
      response.write(segmentOf(0))
    }
    streams.modes.slow = (response) =>
      bytes(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${streams.balancer}/slow.ts\n`)(response, {} as never)
  })
  afterAll(() => world.close())

  /** Signs in a customer whose trial was approved. */
  async function signInTrial(): Promise<SignedIn> {
    const viewer = await world.signInViewer()
    const userId = viewer.user.id
    const trialUntil = '2099-01-01T00:00:00Z'
    await world.app.db.update(lines).set({ trialUntil, wantedUntil: trialUntil }).where(eq(lines.userId, userId))
    await world.app.db.insert(trialRequests).values({
      userId,
      status: 'approved',
      message: '',
      device: 'Fire TV',
      trialUsername: `line.${userId}`,
      trialPassword: seal(secretKey(world.app.context.config), linePassword, sealedColumns.trialPassword.place(userId)),
      trialServer: world.panel.url,
      expiryDate: trialUntil,
    })
    return viewer
  }
  /** Begins to read segments, as many as given. Returns a function that stops one of them. */
  async function readSegments(count: number): Promise<() => Promise<void>> {
    const before = relayOf(world.app.context).traffic.running
    const viewer = await world.signInViewer()
    const { address } = await world.play(viewer, slow)
    const { addresses } = await world.readPlaylist(viewer, address)
    const readers = await Promise.all(
      Array.from({ length: count }, async () => {
        const reader = (await viewer.client.request(addresses[0]!)).body!.getReader()
        await reader.read()
        return reader
      }),
    )
    expect(relayOf(world.app.context).traffic.running).toBe(before + count)
    onTestFinished(async () => {
      for (const reader of readers) await reader.cancel().catch(() => undefined)
    })
    return async () => void (await readers.pop()!.cancel())
  }

  test('is refused to trials, which open and play again as soon as there is another place', async () => {
    const trial = await signInTrial()
    const { address } = await world.play(trial, news)
    await readSegments(5)
    const stop = await readSegments(4)
    const playlist = await trial.client.request(address)
    expect(await answerOf(playlist)).toEqual([503, 'relay_full'])
    expect(playlist.headers.get('retry-after')).toBe('10')
    const opened = await send(trial, 'POST', '/api/plays', { channelId: news })
    expect(await answerOf(opened)).toEqual([503, 'relay_full'])
    expect(opened.headers.get('retry-after')).toBe('10')

    await stop()
    await expect.poll(async () => (await trial.client.request(address)).status).toBe(200)
    await world.play(trial, news)
  })

  test('is used by paid lines', async () => {
    await expect.poll(() => relayOf(world.app.context).traffic.running).toBe(0)
    await readSegments(5)
    await readSegments(4)
    const paid = await world.signInViewer()
    const { address } = await world.play(paid, news)
    expect((await paid.client.request(address)).status).toBe(200)
  })
})
