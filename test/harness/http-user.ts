import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'

export type HttpResult = { status: number; body: Record<string, unknown> }
/** An HTTP client with a session on a running app, at one or several of its processes. */
export type HttpUser = {
  name: string
  /** The session's cookie, for what `send` cannot do. */
  cookie: () => string
  send: (url: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<HttpResult>
  /** The same, asked again as long as the app says that it is too busy just now (503). */
  sendWithRetry: HttpUser['send']
  /** Opens a page's line: `heard` are the endpoints whose answers changed. */
  listen: (url: string) => Promise<{ changedEndpoints: string[]; isOpen: () => boolean; close: () => void }>
}

/** Registers a customer, or logs an administrator in, however busy the app is with others. Throws when that is refused. */
export async function loggedInUser(
  url: string,
  credentials?: { username: string; password: string },
  referralCode?: string,
): Promise<HttpUser> {
  const name = credentials?.username ?? `buyer-${randomBytes(6).toString('hex')}`
  const person = httpUser(name)
  const answer = credentials
    ? await person.sendWithRetry(url, 'POST', '/api/login', credentials)
    : await person.sendWithRetry(url, 'POST', '/api/register', {
        username: name,
        email: `${name}@example.org`,
        password: 'correct-horse',
        ...(referralCode && { referralCode }),
      })
  if (answer.status !== 200)
    throw new Error(`${name} could not sign in: ${answer.status} ${JSON.stringify(answer.body)}`)
  return person
}

/** Returns a client with this cookie, or without a session by default. */
export function httpUser(name: string, initialCookie = '', patienceMs = 10_000): HttpUser {
  let cookie = initialCookie
  const send: HttpUser['send'] = async (at, method, path, body) => {
    const response = await fetch(at + path, {
      method,
      headers: { origin: at, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await response.text()
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} }
  }
  const insist: HttpUser['send'] = async (...request) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(...request)
      if (answer.status !== 503 || attempt === 20) return answer
      await sleep(200 + Math.random() * 300)
    }
  }
  const listen: HttpUser['listen'] = async (at) => {
    const line = new WebSocket(`${at.replace('http', 'ws')}/ws`, { headers: { origin: at, cookie } })
    const heard: string[] = []
    line.on('message', (data) =>
      heard.push(...((JSON.parse(String(data)) as { endpoints?: string[] }).endpoints ?? [])),
    )
    await once(line, 'open')
    return { changedEndpoints: heard, isOpen: () => line.readyState === WebSocket.OPEN, close: () => line.terminate() }
  }
  return { name, cookie: () => cookie, send, sendWithRetry: insist, listen }
}
