type Options = { aliveEveryMs: number; maxPlaylist: number; maxSegment: number }

/**
 * Returns the script of the worker in which a page loads a stream from the panel. The Content Security Policy of the script permits the hosts, so the policies
 * of pages need not. The page sends `{ id, url, range, isText }` to begin a request and `{ id }` to abort it. The worker answers with `{ id, first, loaded }`
 * while the response arrives, then with `{ id, status, url, data }`; status 0 is a failure. It sends the heartbeat `{}` every `aliveEveryMs`, because timers of
 * workers also run in hidden pages. `maxPlaylist` and `maxSegment` are in bytes.
 */
export const loaderScript = ({ aliveEveryMs, maxPlaylist, maxSegment }: Options): string => `'use strict'
const calls = new Map()
onmessage = async ({ data: { id, url, range, isText } }) => {
  if (url === undefined) {
    const call = calls.get(id)
    if (call) call.abort()
    return
  }
  const call = new AbortController()
  calls.set(id, call)
  try {
    const headers = range ? { range } : {}
    const options = { headers, signal: call.signal, credentials: 'omit', referrerPolicy: 'no-referrer', cache: isText ? 'no-store' : 'default' }
    const response = await fetch(url, options)
    const first = performance.timeOrigin + performance.now()
    const chunks = []
    let loaded = 0
    let told = 0
    postMessage({ id, first, loaded })
    if (response.ok) {
      const reader = response.body.getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        chunks.push(value)
        loaded += value.length
        if (loaded > (isText ? ${maxPlaylist} : ${maxSegment})) throw new Error('too long')
        if (performance.now() - told < 100) continue
        told = performance.now()
        postMessage({ id, first, loaded })
      }
    }
    const bytes = new Uint8Array(loaded)
    let at = 0
    for (const chunk of chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    const data = isText ? new TextDecoder().decode(bytes) : bytes.buffer
    postMessage({ id, status: response.status, url: response.url, data }, isText ? [] : [data])
  } catch (error) {
    postMessage({ id, status: 0 })
  } finally {
    calls.delete(id)
  }
}
setInterval(() => postMessage({}), ${aliveEveryMs})
`
