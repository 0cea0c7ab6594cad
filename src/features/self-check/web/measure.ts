import type { BrowserFacts, CheckResult, ServerFacts } from '../contract.ts'
import { neededKbps } from '../rules.ts'

const requests = 5
const requestMs = 2_000
const sampleMs = 4_000
/** The time limit of the second sample, which only has to show that the connection is still fast. */
export const secondSampleMs = 2_000
const parts = 20
const assumedCodecs = 'avc1.42E01E,mp4a.40.2'

type MediaSourceClass = { isTypeSupported: (type: string) => boolean }
const mediaSource = (): MediaSourceClass | undefined => {
  const names = globalThis as { ManagedMediaSource?: MediaSourceClass; MediaSource?: MediaSourceClass }
  return names.MediaSource ?? names.ManagedMediaSource
}
/** Whether this browser plays HLS streams, and whether it decodes these codecs. */
export function mediaFacts(codecs: string | null): Pick<BrowserFacts, 'mediaSource' | 'decodes'> {
  const source = mediaSource()
  const playsNatively = document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== ''
  if (!source) return { mediaSource: playsNatively, decodes: playsNatively }
  return { mediaSource: true, decodes: source.isTypeSupported(`video/mp4; codecs="${codecs ?? assumedCodecs}"`) }
}

/** Measures the delays of five small requests to the server, sent one after the other. Stops when two are lost. */
export async function measureDelays(signal: AbortSignal): Promise<Pick<BrowserFacts, 'delaysMs' | 'lost'>> {
  const delaysMs: number[] = []
  let lost = 0
  for (let n = 0; n < requests && !signal.aborted; n++) {
    const start = performance.now()
    try {
      const response = await fetch('/healthz', {
        cache: 'no-store',
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
      })
      await response.text()
      // The first request is not counted, because it may include opening the connection.
      if (n > 0) delaysMs.push(Math.round(performance.now() - start))
    } catch {
      if (!signal.aborted) lost++
    }
    if (lost === 2) break
  }
  return { delaysMs, lost }
}

/** Loads the sample for at most `maxMs` milliseconds; null if nothing arrived. A part is late if loading it took longer than the channel would play it. */
export async function measureSpeed(
  address: string,
  server: ServerFacts,
  signal: AbortSignal,
  maxMs = sampleMs,
): Promise<BrowserFacts['sample']> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), maxMs)
  const start = performance.now()
  let bytes = 0
  let lateParts = 0
  let done = 0
  try {
    const response = await fetch(address, { cache: 'no-store', signal: AbortSignal.any([signal, stop.signal]) })
    const total = Number(response.headers.get('content-length'))
    if (!response.ok || !response.body || !(total > 0)) return null
    const partBytes = total / parts
    const partMs = (partBytes * 8) / neededKbps(server)
    let partStart = performance.now()
    const reader = response.body.getReader()
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      bytes += chunk.value.length
      const now = performance.now()
      const whole = Math.min(parts, Math.floor(bytes / partBytes))
      if (whole > done) {
        const each = (now - partStart) / (whole - done)
        if (each > partMs) lateParts += whole - done
        done = whole
        partStart = now
      }
    }
  } catch {
    // After a timeout, the bytes that have arrived still count.
  } finally {
    clearTimeout(timer)
  }
  return bytes === 0 ? null : { bytes, ms: Math.max(1, Math.round(performance.now() - start)), parts: done, lateParts }
}

/**
 * Measures the streaming host in a worker, because only the worker's content security policy permits such requests. Null if the worker does not start or the
 * host does not respond. Takes about three seconds at most.
 */
export const measureHost = (
  { loader, segments }: NonNullable<CheckResult['direct']>,
  signal: AbortSignal,
): Promise<{ bytes: number; ms: number } | null> =>
  new Promise((resolve) => {
    if (signal.aborted || !mediaSource()) return resolve(null)
    const worker = new Worker(loader)
    const end = (measured: { bytes: number; ms: number } | null) => {
      worker.terminate()
      resolve(measured && measured.ms > 0 ? measured : null)
    }
    worker.onmessage = ({ data }: MessageEvent<{ bytes: number; ms: number }>) => end(data)
    worker.onerror = (event) => {
      event.preventDefault()
      end(null)
    }
    signal.addEventListener('abort', () => end(null), { once: true })
    worker.postMessage(segments)
  })

/** A server that answers in fewer milliseconds than this, such as one on the same machine, is too near for `isBlocked`. */
const fastestAnswerMs = 10

/**
 * Whether something in this browser blocks a request, such as an extension: the request fails in less than half of the shortest time in which the server
 * answered. A refused or lost connection takes longer to fail. False if the server is too near to tell.
 */
export async function isBlocked(address: string, delaysMs: readonly number[], signal: AbortSignal): Promise<boolean> {
  const fastestMs = Math.min(...delaysMs)
  if (delaysMs.length === 0 || fastestMs < fastestAnswerMs || signal.aborted) return false
  const start = performance.now()
  try {
    const response = await fetch(address, { cache: 'no-store', signal })
    await response.body?.cancel()
    return false
  } catch {
    const failedMs = performance.now() - start
    if (signal.aborted || failedMs * 2 >= fastestMs) return false
  }
  // Make sure that the connection still works.
  const { lost } = await measureDelays(signal)
  return lost === 0 && !signal.aborted
}
