import { BaseLoader, type HlsConfig, type NullableNetworkDetails } from 'hls.js'
import { maxLoaded } from '../../direct-rules.ts'

type Answer = {
  /** Missing in the heartbeat that the worker sends every 20 seconds. */
  id?: number
  first?: number
  loaded?: number
  status?: number
  url?: string
  data?: string | ArrayBuffer
}
type Listener = (answer: Answer) => void
export type DirectLoader = {
  /** The loader for hls.js. */
  loader: HlsConfig['loader']
  /** Returns what was loaded since the last call: the last playlists, each preceded by its address, and the last address to which a segment was redirected. */
  takeLoaded: () => string[]
  /** Ends all requests. */
  close: () => void
}

let lastId = 0
/** Reduces the discontinuity sequence number, as the relay does. hls.js counts up to it for every playlist, so a large number would block the page. */
const withoutLongCount = (playlist: string): string =>
  playlist.replace(
    /^(#EXT-X-DISCONTINUITY-SEQUENCE:)(\d+)/gm,
    (_, tag: string, count) => tag + (Number(count) % 10_000),
  )

/** Returns the text, or only its beginning and its end if it is too long. */
const shortened = (text: string, { length } = maxLoaded): string =>
  text.length <= length ? text : text.slice(0, length / 4) + text.slice(length * -0.75)

/**
 * Returns a loader that sends its requests from the worker at `address`, because only the Content Security Policy of the worker permits requests to the servers
 * of the panel. Calls `onHeartbeat` every 20 seconds, also in a hidden page. If the worker does not start, all requests fail.
 */
export function openDirectLoader(address: string, onHeartbeat: () => void): DirectLoader {
  const worker = new Worker(address)
  const calls = new Map<number, Listener>()
  const lastLoaded = new Map<string, string>()
  const remember = (key: string, text: string) => {
    lastLoaded.delete(key)
    lastLoaded.set(key, shortened(text))
    const [oldest] = lastLoaded.keys()
    if (lastLoaded.size > maxLoaded.texts) lastLoaded.delete(oldest!)
  }
  let hasFailed = false
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    if (data.id === undefined) onHeartbeat()
    else calls.get(data.id)?.(data)
  }
  worker.onerror = (event) => {
    event.preventDefault()
    hasFailed = true
    for (const answer of [...calls.values()]) answer({ status: 0 })
  }

  class Loader extends BaseLoader {
    #id = 0
    protected override loadInternal(): void {
      const { context, config, stats } = this
      if (!context || !config) return
      stats.loading.first = 0
      stats.loaded = 0
      stats.aborted = false
      const id = ++lastId
      this.#id = id
      calls.set(id, (answer) => this.#take(answer))
      const { maxTimeToFirstByteMs, maxLoadTimeMs } = config.loadPolicy
      this.#limit(Number.isFinite(maxTimeToFirstByteMs) ? maxTimeToFirstByteMs : maxLoadTimeMs)
      if (hasFailed) {
        queueMicrotask(() => this.#take({ status: 0 }))
        return
      }
      const range = context.rangeEnd ? `bytes=${context.rangeStart}-${context.rangeEnd - 1}` : undefined
      const isText = context.responseType === 'text'
      worker.postMessage({ id, url: context.url, range, isText })
    }
    #limit(ms: number): void {
      clearTimeout(this.requestTimeout)
      this.requestTimeout = window.setTimeout(() => this.loadtimeout(), ms)
    }
    #take({ first, loaded = 0, status, url, data }: Answer): void {
      const { context, config, callbacks, stats } = this
      if (!context || !config || stats.aborted) return
      if (first !== undefined) {
        if (stats.loading.first === 0) {
          stats.loading.first = Math.max(first - performance.timeOrigin, stats.loading.start)
          this.#limit(config.loadPolicy.maxLoadTimeMs - (stats.loading.first - stats.loading.start))
        }
        stats.loaded = loaded
        return
      }
      clearTimeout(this.requestTimeout)
      calls.delete(this.#id)
      if (status === undefined || status < 200 || status > 299 || data === undefined) {
        callbacks?.onError({ code: status ?? 0, text: '' }, context, null, stats)
        return
      }
      if (typeof data === 'string') remember(context.url, `${url}\n${data}`)
      else if (url && url !== context.url) remember('', url)
      stats.loading.end = Math.max(performance.now(), stats.loading.first)
      stats.loaded = stats.total = typeof data === 'string' ? data.length : data.byteLength
      stats.bwEstimate = (stats.total * 8000) / Math.max(1, stats.loading.end - stats.loading.first)
      const body = typeof data === 'string' ? withoutLongCount(data) : data
      callbacks?.onProgress?.(stats, context, body, null)
      callbacks?.onSuccess({ url: url ?? context.url, data: body, code: status }, stats, context, null)
    }
    protected override abortInternal(): void {
      clearTimeout(this.requestTimeout)
      clearTimeout(this.retryTimeout)
      if (!calls.delete(this.#id)) return
      this.stats.aborted = true
      worker.postMessage({ id: this.#id })
    }
    protected override resetInternalLoader(): void {
      this.#id = 0
    }
    protected override getNetworkDetails(): NullableNetworkDetails {
      return null
    }
    override getCacheAge(): null {
      return null
    }
    override getResponseHeader(): null {
      return null
    }
  }
  const takeLoaded = () => {
    const texts = [...lastLoaded.values()]
    lastLoaded.clear()
    return texts
  }
  return { loader: Loader, takeLoaded, close: () => worker.terminate() }
}
