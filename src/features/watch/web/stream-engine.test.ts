import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { playStream } from './stream-engine.ts'

const attached: unknown[] = []
vi.mock('hls.js', () => {
  class Engine {
    static isSupported = () => true
    static Events = {}
    static ErrorTypes = {}
    static ErrorDetails = {}
    audioTracks = []
    levels = []
    on() {}
    once() {}
    loadSource() {}
    destroy() {}
    attachMedia(video: unknown) {
      attached.push(video)
    }
  }
  return { default: Engine }
})
beforeEach(() => {
  attached.splice(0)
  vi.stubGlobal('addEventListener', () => undefined)
})
afterEach(() => vi.unstubAllGlobals())

/** Plays a stream that is wanted or not once hls.js has loaded. Returns the video with the calls to it, and the engine. */
async function play(isWanted: boolean) {
  const calls: string[] = []
  const video = {
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    removeAttribute: (name: string) => void calls.push(name),
    load: () => void calls.push('load'),
  } as unknown as HTMLVideoElement
  const engine = await playStream(
    video,
    { id: 'a', generation: 1, address: '/stream/a', direct: null },
    {
      startAt: undefined,
      replaces: undefined,
      isWanted: () => isWanted,
      onFail: () => undefined,
      onBitrate: () => undefined,
      onChoices: () => undefined,
    },
  )
  return { video, calls, engine }
}

test('a stream that is no longer wanted once hls.js has loaded is not attached, and stopping it leaves the video to the next stream', async () => {
  const { calls, engine } = await play(false)
  engine.stop()
  expect({ attached, calls }).toEqual({ attached: [], calls: [] })
})

test('a wanted stream is attached, and stopping it clears the video', async () => {
  const { video, calls, engine } = await play(true)
  engine.stop()
  expect({ attached, calls }).toEqual({ attached: [video], calls: ['src', 'load'] })
})
