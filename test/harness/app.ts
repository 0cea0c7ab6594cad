import { eq, sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { pino } from 'pino'
import type { User } from '#features/accounts/contract.ts'
import { clearCache as clearSettingsCache } from '#features/settings/server/service.ts'
import { type Call, caller } from '#kit/caller.ts'
import { type App, createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { sessionCookieName } from '#server/http/request.ts'
import type { ResponseCache } from '#server/http/response-cache.ts'
import type { AppContext } from '#server/http/route.ts'
import { Presence } from '#server/live/presence.ts'
import { logOptions } from '#server/observability/log.ts'
import { RateLimits } from '#server/overload/rate-limit.ts'
import { type PasswordOptions, Passwords } from '#server/session/password.ts'
import { openSession } from '#server/session/session.ts'
import { userView } from '#server/session/user-view.ts'
import { type Clock, withClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createUser, type NewUser } from './factories.ts'
import { renderMail } from './render-mail.ts'

export type Client = {
  /** A call through the contract, as pages make it. */
  call: Call
  /** Sends a request with the client's cookies and a valid Origin, unless `headers` overrides them (null omits a header). */
  request: (
    path: string,
    init?: { method?: string; headers?: Record<string, string | null>; body?: string | Uint8Array<ArrayBuffer> },
  ) => Promise<Response>
  /** A write with a JSON body. */
  post: (path: string, body: unknown, headers?: Record<string, string | null>) => Promise<Response>
  cookies: Map<string, string>
}
export type SignedIn = { client: Client; user: User }
export type TestApp = {
  app: Hono
  /** The cache of public responses. */
  responseCache: ResponseCache
  /** Answers requests for streams without Hono. */
  answerDirectly: App['answerDirectly']
  db: Db
  database: TestDatabase
  context: AppContext
  /** Only with the option `clock`. */
  clock: Clock | undefined
  /** Creates the app again on the same database, as after a crash: state in memory is lost. */
  restart: () => void
  /** All log entries so far. */
  logs: string[]
  client: (from?: { ip?: string }) => Client
  /** Creates a customer (or finds the one of that name) with a session. */
  signIn: (as?: NewUser | string) => Promise<SignedIn>
  signInAdmin: (as?: NewUser) => Promise<SignedIn>
  close: () => Promise<void>
}
type Overrides = {
  config?: Partial<Config>
  passwords?: Partial<PasswordOptions>
  slotOf?: AppContext['slotOf']
  connections?: number
  /** The database to copy instead of the migrated template. */
  template?: string
  presence?: Presence
  /** True gives the database a clock that the test sets. */
  clock?: true
}

export const testConfig: Config = readConfig({
  PORT: '3000',
  RATE_LIMIT_FACTOR: '10000',
  LOG_LEVEL: 'trace',
  SEED: 'empty',
})
/** The cheapest argon2 parameters: tests check that passwords are compared, not how expensive that is. */
export const cheapHashing: PasswordOptions = {
  cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
  atOnce: 2,
  queue: 1_000,
}

/** Builds the app on a new database, in the process of the test. */
export async function buildApp(overrides: Overrides = {}): Promise<TestApp> {
  const config = { ...testConfig, ...overrides.config }
  const database = await createTestDatabase({
    max: overrides.connections ?? 10,
    ...(overrides.template && { template: overrides.template }),
  })
  const clock = overrides.clock && (await withClock(database, database.address, 'UTC'))
  const { db, pool } = clock ?? database
  const logs: string[] = []
  const log = pino(
    { ...logOptions, level: config.logLevel, base: undefined },
    { write: (line: string) => void logs.push(line) },
  )
  const context: AppContext = {
    config,
    db,
    log,
    limits: new RateLimits(pool, config),
    passwords: new Passwords({ ...cheapHashing, ...overrides.passwords }),
    presence: overrides.presence ?? new Presence(),
    renderMail,
    clearResponseCache: () => {},
    cacheGeneration: () => 0,
    ...(overrides.slotOf && { slotOf: overrides.slotOf }),
  }
  const { hono: first, responseCache, answerDirectly } = createApp(context)
  let hono = first
  const client = ({ ip = '127.0.0.1' }: { ip?: string } = {}) =>
    clientOf((...request) => hono.request(...request), config, ip)

  const signIn = async (as: NewUser | string = {}): Promise<SignedIn> => {
    const user = typeof as === 'string' ? await userNamed(db, as) : await createUser(db, as)
    const signedIn = client()
    signedIn.cookies.set(sessionCookieName(config), await openSession(db, user, { ip: '127.0.0.1', userAgent: 'test' }))
    return { client: signedIn, user }
  }
  const restart = () => {
    clearSettingsCache()
    context.limits = new RateLimits(pool, config)
    context.presence = new Presence()
    hono = createApp(context).hono
  }
  const close = async () => {
    await clock?.close()
    await database.close()
  }
  return {
    app: first,
    answerDirectly,
    responseCache,
    db,
    database,
    clock,
    restart,
    context,
    logs,
    client,
    signIn,
    signInAdmin: (as = {}) => signIn({ ...as, role: 'admin' }),
    close,
  }
}

async function userNamed(db: Db, username: string): Promise<User> {
  const [known] = await db
    .select(userView)
    .from(users)
    .where(eq(sql`lower(${users.username})`, username.toLowerCase()))
  return known ?? createUser(db, { username })
}

function clientOf(send: Hono['request'], config: Config, ip: string): Client {
  const cookies = new Map<string, string>()
  const request: Client['request'] = async (path, { headers = {}, ...init } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const all: Record<string, string | null> = {
      origin: config.publicUrl,
      'user-agent': 'test',
      cookie: cookie || null,
      ...headers,
    }
    const sent = new Headers(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null))
    const response = await send(path, { ...init, headers: sent }, { incoming: { socket: { remoteAddress: ip } } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0(;|$)/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  const post: Client['post'] = (path, body, headers) =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const call = caller((url, init) =>
    request(url, {
      method: init.method ?? 'GET',
      headers: init.headers as Record<string, string>,
      ...(init.body && { body: init.body as string | Uint8Array<ArrayBuffer> }),
    }),
  )
  return { call, request, post, cookies }
}
