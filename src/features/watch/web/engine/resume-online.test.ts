import { afterEach, expect, test, vi } from 'vitest'
import { resumeWhenOnline } from './resume-online.ts'

afterEach(() => vi.unstubAllGlobals())

/** Calls `resumeWhenOnline`. `goOnline` dispatches an `online` event, and `calls` are the calls to hls.js. */
function followed(loadingEnabled: boolean) {
  const browser = new EventTarget()
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  const calls: string[] = []
  const stop = resumeWhenOnline({
    loadingEnabled,
    stopLoad: () => void calls.push('stop'),
    startLoad: () => void calls.push('start'),
  })
  return { calls, stop, goOnline: () => browser.dispatchEvent(new Event('online')) }
}

test('requests are made again each time the browser is online again, until the stream is stopped', () => {
  const { calls, stop, goOnline } = followed(true)
  goOnline()
  goOnline()
  expect(calls).toEqual(['stop', 'start', 'stop', 'start'])
  stop()
  goOnline()
  expect(calls).toHaveLength(4)
})

test('a stream that is not loading is left unchanged', () => {
  const { calls, goOnline } = followed(false)
  goOnline()
  expect(calls).toEqual([])
})
