/** The part of a video element that is used here. hls.js adds a ManagedMediaSource as a `source` element, but assigns a MediaSource to `src`. */
type Video = Pick<HTMLVideoElement, 'querySelector' | 'append' | 'disableRemotePlayback'>

/**
 * Adds the address of the stream as an alternative that an AirPlay receiver loads itself, and permits remote playback, which hls.js turns off. Call it
 * after each attachment. Has no effect without a ManagedMediaSource: with a MediaSource, Apple's browsers offer no AirPlay.
 */
export function addAirPlaySource(video: Video, address: string): void {
  if (!video.querySelector('source')) return
  const source = document.createElement('source')
  source.type = 'application/x-mpegURL'
  source.src = address
  video.append(source)
  video.disableRemotePlayback = false
}
