type Options = { maxBytes: number; maxMs: number }

/**
 * The script of the worker with which a page measures a streaming host. The worker receives the URLs of segments, loads them one after the other until it has
 * `maxBytes` bytes or `maxMs` milliseconds have passed, and posts `{ bytes, ms }`. `ms` counts from the first response, so that opening the connection is not
 * included; 0 if there was no response.
 */
export const hostScript = ({ maxBytes, maxMs }: Options): string => `'use strict'
onmessage = async ({ data: segments }) => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), ${maxMs})
  let first
  let last
  let bytes = 0
  try {
    for (const url of segments) {
      const options = { signal: stop.signal, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' }
      const response = await fetch(url, options)
      if (!response.ok) break
      first ??= performance.now()
      const reader = response.body.getReader()
      while (bytes < ${maxBytes}) {
        const { done, value } = await reader.read()
        last = performance.now()
        if (done) break
        bytes += value.length
      }
      if (bytes >= ${maxBytes}) break
    }
  } catch {
    if (stop.signal.aborted) last = performance.now()
  }
  stop.abort()
  const ms = first === undefined || last === undefined ? 0 : Math.round(last - first)
  postMessage({ bytes: Math.min(bytes, ${maxBytes}), ms })
}
`
