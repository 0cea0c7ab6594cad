import type { IncomingMessage } from 'node:http'
import type { Hono, Context as HonoContext } from 'hono'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Issue } from '#kit/caller.ts'
import { csvFile, download, picture } from '#kit/download.ts'
import type { AnyEndpoint, Page, ParsedInput, Result } from '#kit/endpoint.ts'
import type { MailBody } from '#kit/mail-body.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import type { Replica } from '../db/replica.ts'
import { notAllowed, Refusal, signInFirst } from '../errors.ts'
import type { Presence } from '../live/presence.ts'
import type { RateLimits } from '../overload/rate-limit.ts'
import type { Slot } from '../overload/slot.ts'
import { withActingKey } from '../session/acting-key.ts'
import type { Passwords } from '../session/password.ts'
import { type SessionUser, userOfToken } from '../session/session.ts'
import { sessionGuardedDb } from '../session/session-guard.ts'
import { refuseWhileViewing, withoutSecrets } from '../session/viewing-restrictions.ts'
import { browserCachedResponse } from './browser-cached-response.ts'
import { setFrameableHeaders } from './headers.ts'
import { readJson } from './json-body.ts'
import { type Caller, callerOf } from './request.ts'
import { assertOrigin, type PageSession, refuseRole, userOfRequest } from './request-user.ts'
import { textResponse } from './text-response.ts'
import { readUploadBody } from './upload-body.ts'

/** The application's dependencies, available to every handler. */
export type AppContext = {
  config: Config
  db: Db
  log: Logger
  limits: RateLimits
  passwords: Passwords
  presence: Presence
  renderMail: RenderMail
  clearResponseCache: () => void
  /** Returns the generation of the response cache. It changes with everything that is the same for all callers, such as channels, rights and settings. */
  cacheGeneration: () => number
  /** Called with the token of every request of an administrator. */
  onAdministratorSession?: (token: string) => void
  /** Returns the slot of a request in the concurrency limiter. */
  slotOf?: (request: IncomingMessage | undefined) => Slot | undefined
  /** If set, lists are read from this replica. */
  replica?: Replica | undefined
}
/** Renders an email as HTML, with the page bundle. */
export type RenderMail = (mailBody: MailBody) => Promise<string>

type UserFor<E> = E extends { access: 'public' } ? null : SessionUser
export type Reply = { headers: Headers }
export type HandlerContext<E> = ParsedInput<E> &
  AppContext & {
    user: UserFor<E>
    caller: Caller
    reply: Reply
    requestId: string
    /** The value of the header that the endpoint's `signedBy` names; empty if the header is missing. */
    signature: string
  }
export type Handler<E> = (context: HandlerContext<E>) => Result<E> | Promise<Result<E>>
export type Route = { endpoint: AnyEndpoint; handler: (context: never) => unknown }

/** Binds an endpoint of a contract to its handler. */
export const implement = <E extends AnyEndpoint>(endpoint: E, handler: Handler<E>): Route => ({
  endpoint,
  handler: handler as Route['handler'],
})

/** Mounts every route: origin check, access check, rate limit, input parsing, handler, output parsing. Authorization happens here, never in pages. */
export function mount(hono: Hono, routes: Route[], app: AppContext): void {
  const byPath = Map.groupBy(routes, (route) => route.endpoint.path)
  for (const [path, group] of byPath) {
    for (const route of group)
      hono.on(route.endpoint.method, path, (c) => {
        c.set('route' as never, path as never)
        return handleRequest(c, route, app)
      })
    const isAlsoPage = group.some(({ endpoint }) => endpoint.calledByMailPrograms)
    const methods: string[] = group.map((route) => route.endpoint.method)
    if (isAlsoPage) methods.push('GET')
    if (methods.includes('GET')) methods.push('HEAD')
    hono.all(path, ({ req }, next) => {
      if (isAlsoPage && (req.method === 'GET' || req.method === 'HEAD')) return next()
      throw new Refusal(405, 'method_not_allowed', 'This method is not allowed here', {
        headers: { allow: methods.join(', ') },
      })
    })
  }
}

async function handleRequest(c: HonoContext, { endpoint, handler }: Route, app: AppContext): Promise<Response> {
  const request = c.req.raw
  const { incoming, page } = (c.env ?? {}) as { incoming?: IncomingMessage; page?: PageSession }
  const caller = { ...callerOf(c, app.config), slot: app.slotOf?.(incoming) }
  assertOrigin(endpoint, request.headers, caller, app.config)
  const user = await userOfRequest(app, endpoint, caller, page)
  if (endpoint.access !== 'public' && !user) signInFirst()
  if (user?.permissions.length && caller.sessionToken) app.onAdministratorSession?.(caller.sessionToken)
  if (!endpoint.signedBy)
    refuseWhileViewing(
      endpoint,
      user ?? (endpoint.method === 'GET' ? null : await userOfToken(app, caller.sessionToken)),
    )
  refuseRole(endpoint, user)
  if (user?.mustChangePassword && !endpoint.openBeforePasswordChange)
    notAllowed('Please choose a new password first', 'must_change_password')
  if (endpoint.limit) await app.limits.take(endpoint.limit, limitedCaller(caller, user))

  const input = {
    params: endpoint.params && parsed(endpoint.params, c.req.param(), 'params'),
    query: endpoint.query && parsed(endpoint.query, c.req.query(), 'query'),
    body: endpoint.body && parsed(endpoint.body, await readBody(endpoint, request), 'body'),
  }
  const reply: Reply = { headers: new Headers({ 'content-type': 'application/json; charset=utf-8' }) }
  reply.headers.set('cache-control', endpoint.cacheSeconds ? `public, max-age=${endpoint.cacheSeconds}` : 'no-store')
  const db =
    user && endpoint.method !== 'GET' && !endpoint.endsSessions
      ? sessionGuardedDb(app.db, endpoint, { user, token: caller.sessionToken })
      : app.db
  const context = {
    ...app,
    ...input,
    user,
    caller,
    reply,
    requestId: c.get('requestId') as string,
    signature: (endpoint.signedBy && request.headers.get(endpoint.signedBy)) ?? '',
  }
  const handle = (on: Db) => handler({ ...context, db: on } as never)
  const run = (on: Db) =>
    user?.apiKey ? withActingKey({ ...user.apiKey, userId: user.id }, () => handle(on)) : handle(on)
  const result = app.replica && isList(endpoint) ? await app.replica.read(run) : await run(db)
  const shown = (answer: unknown) => (user?.viewedBy ? withoutSecrets(answer) : answer)
  if (endpoint.file) return fileResponse(endpoint.file, result, reply)
  if (endpoint.document) return c.body(z.parse(z.string(), result), { headers: setFrameableHeaders(reply.headers) })
  if (!endpoint.paged) {
    const text = JSON.stringify(shown(z.parse(endpoint.output, result)))
    return endpoint.keepSeconds
      ? browserCachedResponse(request, text, reply.headers, endpoint.keepSeconds)
      : textResponse(text, reply.headers)
  }
  const { rows, total, isMinimum } = result as Page<unknown>
  reply.headers.set('x-total-count', String(total))
  if (isMinimum) reply.headers.set('x-total-is-minimum', 'true')
  const link = linkHeader(c.req.path, c.req.query(), total)
  if (link) reply.headers.set('link', link)
  return textResponse(JSON.stringify(shown(z.parse(endpoint.output, rows))), reply.headers)
}

const readBody = ({ upload, uploadMegabytes }: AnyEndpoint, request: Request): Promise<unknown> =>
  upload ? readUploadBody(request, upload, uploadMegabytes) : readJson(request)

const limitedCaller = ({ ip }: Caller, user: SessionUser | null) => ({
  ip,
  userId: user?.id,
  ...(user?.apiKey && { apiKeyId: user.apiKey.id }),
})

/** Whether an endpoint may read from the replica: public lists and paged admin lists. */
const isList = ({ method, access, paged, cacheSeconds }: AnyEndpoint): boolean =>
  method === 'GET' && (cacheSeconds !== undefined || (access === 'admin' && paged === true))

/** Returns the response for a file download. CSV is streamed with back-pressure and stops when the client disconnects. */
function fileResponse(type: NonNullable<AnyEndpoint['file']>, result: unknown, { headers }: Reply): Response {
  const sent = (name: string, body: ReadableStream | Uint8Array<ArrayBuffer>, contentType: string) => {
    headers.set('content-type', contentType)
    headers.set('content-disposition', `attachment; filename="${name}"`)
    return new Response(body, { headers })
  }
  if (type === 'text/csv') {
    const { name, text } = z.parse(csvFile, result)
    return sent(name, ReadableStream.from(encoded(text)), `${type}; charset=utf-8; header=present`)
  }
  if (type === 'image/*' || type === 'text/css') {
    const shown = type === 'image/*' ? z.parse(picture, result) : { type, bytes: z.parse(z.string(), result) }
    headers.set('content-type', shown.type)
    headers.set('cache-control', 'public, max-age=31536000, immutable')
    // Webmail shows the logo in pages of other sites.
    headers.set('cross-origin-resource-policy', 'cross-origin')
    return new Response(shown.bytes, { headers })
  }
  const { name, bytes } = z.parse(download, result)
  headers.set('content-length', String(bytes.byteLength))
  return sent(name, bytes, type)
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const piece of text) yield encoder.encode(piece)
}

/** Parses input. Throws 404 for an invalid path parameter, and 400 with the schema's messages for an invalid query or body. */
function parsed(schema: z.core.$ZodType, value: unknown, where: 'params' | 'query' | 'body'): unknown {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => toIssue(issue))
  if (where === 'params') throw new Refusal(404, 'not_found', 'Not found')
  throw new Refusal(400, 'invalid', issues[0]?.message ?? 'Please check what you entered', { issues })
}

/** The message of a union itself is not useful, so the first message of its branches is used. */
function toIssue(issue: z.core.$ZodIssue): Issue {
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.flat().find((e) => e.code !== 'invalid_value') ?? issue.errors.flat()[0]
    if (inner) return { path: [...issue.path, ...inner.path].join('.'), message: inner.message }
  }
  return { path: issue.path.join('.'), message: issue.message }
}

/** The Link header (RFC 8288) of a paged list; undefined if there is only one page. */
function linkHeader(path: string, query: Record<string, string>, total: number): string | undefined {
  const page = Number(query.page ?? 1)
  const pageSize = Number(query.pageSize ?? 100)
  const last = Math.max(1, Math.ceil(total / pageSize))
  const links: [string, number][] = [
    ['first', 1],
    ['prev', page - 1],
    ['next', page + 1],
    ['last', last],
  ]
  const to = (n: number) => `${path}?${new URLSearchParams({ ...query, page: String(n), pageSize: String(pageSize) })}`
  const shown = links.filter(([, n]) => n >= 1 && n <= last && (n !== page || last > 1))
  return last === 1 ? undefined : shown.map(([rel, n]) => `<${to(n)}>; rel="${rel}"`).join(', ')
}
