import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpUser } from '../../test/harness/http-user.ts'

export const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** Returns the smallest of `values` that at least `share` (0 to 1) of them do not exceed. */
export const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)]!
export const maximum = (values: number[]): number => Math.max(...values)

/**
 * Sends a GET request and resolves with the response. Throws unless the status is 200. If the server closes a kept-alive connection while the request is sent
 * on it, the request is repeated, as browsers do.
 */
export async function request(url: string): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = get(url, { agent }, resolve).on('error', (error: NodeJS.ErrnoException) =>
      sent.reusedSocket && error.code === 'ECONNRESET' ? resolve(request(url)) : reject(error),
    )
  })
  if (response.statusCode === 200) return response
  response.resume()
  throw new Error(`${new URL(url).pathname.slice(0, 40)} answered ${response.statusCode}`)
}

/** Sends a GET request on a new connection, as the app does to a panel, and reads the response to its end, whatever its status. */
export const callOnce = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) =>
      response
        .resume()
        .on('end', () => resolve())
        .on('error', reject),
    ).on('error', reject)
  })

/** Requests a URL, reads the response to its end and returns its size in bytes. */
export async function readAll(url: string): Promise<number> {
  const response = await request(url)
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await new Promise((resolve, reject) => response.on('end', resolve).on('error', reject))
  return bytes
}

/** Requests a playlist and returns the URLs in it. */
export async function addressesIn(url: string): Promise<string[]> {
  const chunks: Buffer[] = []
  for await (const chunk of await request(url)) chunks.push(chunk as Buffer)
  const lines = Buffer.concat(chunks).toString().split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => new URL(line, url).href)
}

/** Opens a channel. Returns the id of the play and the URL of its stream. */
export async function openChannel(url: string, viewer: HttpUser, channelId: number) {
  const { status, body } = await viewer.send(url, 'POST', '/api/plays', { channelId })
  if (status !== 200) throw new Error(`A play was refused: ${status} ${JSON.stringify(body)}`)
  return { id: body.id as string, stream: url + (body.address as string) }
}

/** Ends a play as a page does. */
export async function endPlay(url: string, viewer: HttpUser, id: string): Promise<void> {
  const headers = { origin: url, cookie: viewer.cookie(), 'content-type': 'application/json' }
  await fetch(`${url}/api/plays/${id}`, { method: 'DELETE', headers, body: '{}' })
}

/**
 * Watches a live stream like a player: requests its playlist and the newest segment every two seconds until the signal aborts. Returns the number of failures.
 * Adds the duration of each segment request, in milliseconds, to `times`.
 */
export async function watch(stream: string, signal: AbortSignal, times: number[] = []): Promise<number> {
  let failures = 0
  await sleep(Math.random() * 2_000, undefined, { signal }).catch(() => undefined)
  while (!signal.aborted) {
    const next = sleep(2_000, undefined, { signal }).catch(() => undefined)
    try {
      const address = (await addressesIn(stream)).at(-1)!
      const started = performance.now()
      await readAll(address)
      times.push(performance.now() - started)
    } catch {
      failures++
    }
    await next
  }
  return failures
}
