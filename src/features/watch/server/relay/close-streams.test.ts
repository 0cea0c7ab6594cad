// Streams that a process on another machine holds are closed through the database. `test/proof/full-size/first-openings.test.ts` does so with real processes.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { clientConfig } from '#server/db/connect.ts'
import { type Listener, listen, notifyStreams, type StreamsToClose } from '#server/live/notify.ts'
import { type WatchWorld, watchWorld } from '../../../../../test/harness/watch-world.ts'
import { closeStreams, streamCloser } from './close-streams.ts'
import { relayName } from './inner-server.ts'
import { relayOf } from './relay.ts'

const other = 'another-machine|4000'
let world: WatchWorld
let channel: number
let listener: Listener
let received: StreamsToClose[]
/** What the other machine does when it receives the request. */
let answer: (streams: StreamsToClose) => void
beforeAll(async () => {
  world = await watchWorld()
  channel = await world.addChannel('news')
})
afterAll(() => world.close())
beforeEach(async () => {
  received = []
  answer = () => {}
  const close = streamCloser(world.app.context)
  listener = await listen({
    connection: clientConfig(world.app.database.address),
    onChange: () => {},
    onSessionsChanged: () => {},
    onCatalog: () => {},
    onReconnect: () => {},
    onStreams: (streams) => {
      received.push(streams)
      close(streams)
      if (streams.relay === other) answer(streams)
    },
  })
})
afterEach(() => listener.close())

/** Closes the stream of a play that the other machine holds. Returns how many milliseconds that took. */
async function timed(): Promise<number> {
  const play = await world.play(await world.signInViewer(), channel)
  const { context } = world.app
  const began = performance.now()
  await closeStreams(context, relayOf(context).traffic, [{ id: play.id, relay: other }], play)
  expect(received[0]).toEqual({ to: 'streams', playId: play.id, before: play.generation, relay: other })
  return performance.now() - began
}

test('another machine gets the request, and its answer is awaited', async () => {
  let isClosed = false
  answer = ({ relay: _, ...streams }) =>
    setTimeout(() => {
      isClosed = true
      void notifyStreams(world.app.db, streams)
    }, 100)
  expect(await timed()).toBeLessThan(1_400)
  expect(isClosed).toBe(true)
})

test('if the other machine does not answer, the wait is as long as a process needs to read the table', async () => {
  expect(await timed()).toBeGreaterThan(1_490)
})

test('the process that is named closes earlier streams of the play and answers; others do nothing', async () => {
  const { context, db } = world.app
  const { traffic } = relayOf(context)
  const { id: playId } = await world.play(await world.signInViewer(), channel)
  const [earlier, later] = [traffic.hold(playId, 1), traffic.hold(playId, 2)]
  await notifyStreams(db, { playId, before: 2, relay: other })
  await vi.waitFor(() => expect(received).toHaveLength(1), 15_000)
  expect(earlier.signal.aborted).toBe(false)
  await notifyStreams(db, { playId, before: 2, relay: await relayName(context) })
  await vi.waitFor(() => expect(received).toHaveLength(3), 15_000)
  expect(received[2]).toEqual({ to: 'streams', playId, before: 2 })
  expect([earlier.signal.aborted, later.signal.aborted]).toEqual([true, false])
  for (const { end } of [earlier, later]) end()
})
