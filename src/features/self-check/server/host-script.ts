type Options = { mostBytes: number; mostMs: number }

/**
 * The script of the worker in which a page measures a streaming host. It gets the addresses of segments, loads one after the other, up to `mostBytes` in
 * `mostMs`, and answers with `{ bytes, ms }`. The time begins with the first answer: opening the connection is not part of it. 0 ms: there was none.
 */
export const hostScript = ({ mostBytes, mostMs }: Options): string => `'use strict'
onmessage = async ({ data: segments }) => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), ${mostMs})
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
      while (bytes < ${mostBytes}) {
        const { done, value } = await reader.read()
        last = performance.now()
        if (done) break
        bytes += value.length
      }
      if (bytes >= ${mostBytes}) break
    }
  } catch {
    if (stop.signal.aborted) last = performance.now()
  }
  stop.abort()
  const ms = first === undefined || last === undefined ? 0 : Math.round(last - first)
  postMessage({ bytes: Math.min(bytes, ${mostBytes}), ms })
}
`
