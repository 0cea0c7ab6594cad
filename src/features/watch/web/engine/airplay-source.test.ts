import { afterEach, expect, test, vi } from 'vitest'
import { addAirPlaySource } from './airplay-source.ts'

afterEach(() => vi.unstubAllGlobals())

/** A video element with these sources, as hls.js sets it up. */
function videoWith(...sources: { type: string; src: string }[]) {
  vi.stubGlobal('document', { createElement: () => ({ type: '', src: '' }) })
  const video = {
    sources,
    disableRemotePlayback: true,
    querySelector: () => (video.sources[0] ?? null) as never,
    append: (source: never) => void video.sources.push(source),
  }
  return video
}

test('with a ManagedMediaSource, the stream is added after it as an alternative for AirPlay', () => {
  const managed = { type: 'video/mp4', src: 'blob:http://localhost/1' }
  const video = videoWith(managed)
  addAirPlaySource(video, '/stream/play/sealed.m3u8')
  expect(video.sources).toEqual([managed, { type: 'application/x-mpegURL', src: '/stream/play/sealed.m3u8' }])
  expect(video.disableRemotePlayback).toBe(false)
})

test('a video element with a MediaSource stays unchanged', () => {
  const video = videoWith()
  addAirPlaySource(video, '/stream/play/sealed.m3u8')
  expect([video.sources, video.disableRemotePlayback]).toEqual([[], true])
})
