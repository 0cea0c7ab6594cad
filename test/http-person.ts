import { randomBytes } from 'node:crypto'

export type Answer = { status: number; body: Record<string, unknown> }
/** Somebody with a session who speaks to a running app over HTTP, on one or on several of its processes. */
export type HttpPerson = { name: string; send: (url: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<Answer> }

/** Registers a customer, or logs an administrator in. Throws when that is refused. */
export async function personAt(url: string, credentials?: { username: string; password: string }, referralCode?: string): Promise<HttpPerson> {
  let cookie = ''
  const send: HttpPerson['send'] = async (at, method, path, body) => {
    const response = await fetch(at + path, {
      method,
      headers: { origin: at, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await response.text()
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} }
  }
  const name = credentials?.username ?? `buyer-${randomBytes(6).toString('hex')}`
  const answer = credentials
    ? await send(url, 'POST', '/api/login', credentials)
    : await send(url, 'POST', '/api/register', {
        username: name,
        email: `${name}@example.org`,
        password: 'correct-horse',
        ...(referralCode && { referralCode }),
      })
  if (answer.status !== 200) throw new Error(`${name} could not sign in: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { name, send }
}
