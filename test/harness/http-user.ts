import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'

export type HttpResult = { status: number; body: Record<string, unknown> }
/** An HTTP client with one session that can send requests to several processes of an app. */
export type HttpUser = {
  name: string
  /** The session cookie, for requests that `send` does not cover. */
  cookie: () => string
  send: (url: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<HttpResult>
  /** Like `send`, but repeats the request up to 20 times while the app responds 503. */
  sendWithRetry: HttpUser['send']
  /** Opens a WebSocket like a page. `changedEndpoints` grows with each notification of the app. */
  listen: (url: string) => Promise<{ changedEndpoints: string[]; isOpen: () => boolean; close: () => void }>
}

/** Registers a customer or, with `credentials`, logs in. Retries while the app is busy. Throws on any status but 200. */
export async function loggedInUser(
  url: string,
  credentials?: { username: string; password: string },
  referralCode?: string,
): Promise<HttpUser> {
  const name = credentials?.username ?? `buyer-${randomBytes(6).toString('hex')}`
  const user = httpUser(name)
  const result = credentials
    ? await user.sendWithRetry(url, 'POST', '/api/login', credentials)
    : await user.sendWithRetry(url, 'POST', '/api/register', {
        username: name,
        email: `${name}@example.org`,
        password: 'correct-horse',
        ...(referralCode && { referralCode }),
      })
  if (result.status !== 200)
    throw new Error(`${name} could not sign in: ${result.status} ${JSON.stringify(result.body)}`)
  return user
}

/** Returns a client with this session cookie, by default without a session. `timeoutMs` limits each request. */
export function httpUser(name: string, initialCookie = '', timeoutMs = 10_000): HttpUser {
  let cookie = initialCookie
  const send: HttpUser['send'] = async (at, method, path, body) => {
    const response = await fetch(at + path, {
      method,
      headers: { origin: at, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} }
  }
  const sendWithRetry: HttpUser['send'] = async (...request) => {
    for (let attempt = 1; ; attempt++) {
      const result = await send(...request)
      if (result.status !== 503 || attempt === 20) return result
      await sleep(200 + Math.random() * 300)
    }
  }
  const listen: HttpUser['listen'] = async (at) => {
    const socket = new WebSocket(`${at.replace('http', 'ws')}/ws`, { headers: { origin: at, cookie } })
    const changed: string[] = []
    socket.on('message', (data) =>
      changed.push(...((JSON.parse(String(data)) as { endpoints?: string[] }).endpoints ?? [])),
    )
    await once(socket, 'open')
    return {
      changedEndpoints: changed,
      isOpen: () => socket.readyState === WebSocket.OPEN,
      close: () => socket.terminate(),
    }
  }
  return { name, cookie: () => cookie, send, sendWithRetry, listen }
}
