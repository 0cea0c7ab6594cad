import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { routes as accounts } from '#features/accounts/server/routes.ts'
import { routes as audit } from '#features/audit/server/routes.ts'
import { routes as billing } from '#features/billing/server/routes.ts'
import { routes as catalog } from '#features/catalog/server/routes.ts'
import { routes as chat } from '#features/chat/server/routes.ts'
import { routes as customers } from '#features/customers/server/routes.ts'
import { routes as impersonation } from '#features/impersonation/server/routes.ts'
import { routes as inquiries } from '#features/inquiries/server/routes.ts'
import { routes as installation } from '#features/installation/server/routes.ts'
import { routes as iptv } from '#features/iptv/server/routes.ts'
import { routes as mails } from '#features/mails/server/routes.ts'
import { routes as passkeys } from '#features/passkeys/server/routes.ts'
import { routes as provisioning } from '#features/provisioning/server/routes.ts'
import { routes as referrals } from '#features/referrals/server/routes.ts'
import { routes as reports } from '#features/reports/server/routes.ts'
import { routes as sessions } from '#features/sessions/server/routes.ts'
import { routes as settings } from '#features/settings/server/routes.ts'
import { routes as subscriptions } from '#features/subscriptions/server/routes.ts'
import { routes as trials } from '#features/trials/server/routes.ts'
import { routes as twoFactor } from '#features/two-factor/server/routes.ts'
import { routes as visitors } from '#features/visitors/server/routes.ts'
import { routes as watchlist } from '#features/watchlist/server/routes.ts'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { isUnavailable } from './db/connect.ts'
import { Refusal } from './errors.ts'
import { compressed } from './http/compress.ts'
import { secure } from './http/headers.ts'
import { openapiDocument } from './http/openapi.ts'
import { openapiPage } from './http/openapi-page.ts'
import { callerOf, clientIp, sessionCookieName } from './http/request.ts'
import { type PublicPaths, ResponseCache } from './http/response-cache.ts'
import { type AppContext, mount, type RenderMail, type Route } from './http/route.ts'
import { mountSiteFiles, siteFilePaths } from './http/site-files.ts'
import { mountStatic } from './http/static.ts'
import { Presence } from './live/presence.ts'
import { countRequests, type Metrics, mountMetrics } from './observability/metrics.ts'
import { isOutboundHeld } from './outbound/outbound-gate.ts'

/** Every route of the product; the OpenAPI document and the access tests read the same list. */
export const routes: Route[] = [
  ...accounts,
  ...subscriptions,
  ...customers,
  ...catalog,
  ...settings,
  ...audit,
  ...inquiries,
  ...chat,
  ...billing,
  ...referrals,
  ...trials,
  ...reports,
  ...watchlist,
  ...mails,
  ...iptv,
  ...provisioning,
  ...installation,
  ...visitors,
  ...sessions,
  ...twoFactor,
  ...passkeys,
  ...impersonation,
]
export const endpoints: AnyEndpoint[] = routes.map((route) => route.endpoint)

/** Renders a page for a request; `call` is the app itself, so pages read through the same contracts as the browser. */
export type Pages = {
  render: (request: Request, send: (url: string, init: RequestInit) => Promise<Response>) => Promise<Response>
  publicPaths: PublicPaths
  renderLetter: RenderMail
  builtAt: Date
}
export type App = { hono: Hono; ready: ResponseCache }
type Parts = Omit<AppContext, 'dropReady' | 'presence'> & {
  presence?: Presence
  pages?: Pages
  staticRoot?: string
  metrics?: Metrics
  /** Whether the process ends: it answers still, but is not ready for more. */
  isLeaving?: () => boolean
}

/** The fetch handler of the whole product, without a process around it. */
export function createApp(parts: Parts): App {
  const hono = new Hono()
  const { presence = new Presence() } = parts
  const onPage = ({ socket, headers, url = '/' }: IncomingMessage) => {
    if (headers['sec-purpose'] !== undefined) return
    const ip = clientIp(socket.remoteAddress, headers['x-forwarded-for'] as string | undefined, parts.config.trustProxy)
    presence.askedForPage(ip, (headers['user-agent'] ?? '').slice(0, 256), url)
  }
  const ready = new ResponseCache(parts.config, { onPage, pages: parts.pages?.publicPaths })
  const house: AppContext = { ...parts, presence, dropReady: () => ready.drop() }
  const lists = new Set<string>([...endpoints.filter((e) => e.cacheSeconds).map((e) => e.path), ...siteFilePaths])
  const cookie = `${sessionCookieName(parts.config)}=`

  if (parts.metrics) countRequests(hono, parts.metrics)
  hono.use(async (c, next) => {
    c.set('requestId' as never, randomUUID() as never)
    const { generation } = ready
    await next()
    secure(c.res.headers, parts.config)
    const address = c.req.url.slice(c.req.url.indexOf('/', 'https://'.length))
    const anyone = lists.has(address)
    const page = ready.isPage(address) && !c.req.header('cookie')?.includes(cookie)
    const mayKeep = c.req.method === 'GET' && (anyone || page)
    if (mayKeep && c.res.status === 200) ready.keep(address, c.res, await c.res.clone().text(), anyone, generation)
    const known = mayKeep && c.res.status === 503 ? ready.doubtful(address) : undefined
    const isOwnPage =
      c.req.header('cookie')?.includes(cookie) && c.res.headers.get('content-type')?.startsWith('text/html')
    const sent = await compressed(known ?? c.res, c.req.header('accept-encoding'))
    // After compressing: what was no-store before it holds secrets and stays as it is.
    if (isOwnPage) sent.headers.set('cache-control', 'no-store')
    if (sent !== c.res) {
      // Assigned at once, Hono would put the old headers back.
      c.res = undefined
      c.res = sent
    }
  })

  if (parts.metrics) mountMetrics(hono, parts.metrics, parts.config)
  mount(hono, routes, house)
  hono.get('/healthz', (c) => c.json({ ok: true }))
  const refuseWhenLeaving = () => {
    if (parts.isLeaving?.())
      throw new Refusal(503, 'leaving', 'This process is leaving', { headers: { 'retry-after': '5' } })
  }
  hono.get('/readyz', async (c) => {
    refuseWhenLeaving()
    await house.db.execute('select 1')
    // It may have begun meanwhile.
    refuseWhenLeaving()
    return c.json({ ok: true, ...((await isOutboundHeld()) && { held: true }) })
  })
  let made: ReturnType<typeof openapiDocument> | undefined
  const document = () => {
    made ??= openapiDocument(endpoints, { title: 'Sauce', version: '0.1.0', url: parts.config.publicUrl })
    return made
  }
  hono.get('/api/openapi.json', (c) => c.json(document()))
  hono.get('/api/docs', (c) =>
    c.html(openapiPage(document()), 200, {
      'content-security-policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    }),
  )
  hono.all('/api/*', () => {
    throw new Refusal(404, 'no_such_endpoint', 'There is nothing at this address')
  })
  hono.get('/invoices/:invoiceNumber', (c) =>
    c.redirect(`/invoice/${encodeURIComponent(c.req.param('invoiceNumber'))}`, 301),
  )
  hono.get('*', async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    return pathname !== '/' && pathname.endsWith('/') && !pathname.startsWith('//')
      ? c.redirect(pathname.replace(/(?<!\/)\/+$/, '') + search, 301)
      : next()
  })
  if (parts.pages) mountSiteFiles(hono, { ...house, ...parts.pages })
  if (parts.staticRoot) mountStatic(hono, parts.staticRoot)
  if (parts.pages) {
    const { render } = parts.pages
    hono.get('*', async (c) => {
      const headers = { cookie: c.req.header('cookie') ?? '', 'user-agent': c.req.header('user-agent') ?? '' }
      const response = await render(
        c.req.raw,
        async (url, init) => ready.list(url) ?? hono.request(url, { ...init, headers }),
      )
      if (response.status === 200 && c.req.method === 'GET' && !c.req.header('sec-purpose')) {
        const { ip, userAgent, sessionToken } = callerOf(c, parts.config)
        presence.askedForPage(ip, userAgent, c.req.path, sessionToken)
      }
      return response
    })
  }

  hono.notFound((c) => c.json({ message: 'There is nothing at this address', code: 'not_found' }, 404))
  hono.onError((error, c) => {
    const requestId = c.get('requestId' as never) as string
    c.header('cache-control', 'no-store')
    if (error instanceof Refusal) {
      for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
      house.log.info({ requestId, path: c.req.path, status: error.status, code: error.code }, 'refused')
      return c.json(
        { message: error.message, code: error.code, ...(error.issues && { issues: error.issues }) },
        error.status,
      )
    }
    if (isUnavailable(error)) {
      house.log.error({ requestId, path: c.req.path }, 'the database is away')
      c.header('retry-after', '2')
      return c.json(
        { message: 'We cannot reach our records right now. Please try again in a moment.', code: 'unavailable' },
        503,
      )
    }
    house.log.error({ requestId, path: c.req.path, error: shown(error) }, 'unexpected error')
    return c.json({ message: 'Internal error', code: 'internal', requestId }, 500)
  })
  return { hono, ready }
}

/** A database error's message carries the values it was asked with; its cause and code say enough. */
function shown(error: Error): Record<string, unknown> {
  const cause = error.cause as { code?: string; constraint?: string; message?: string } | undefined
  if (cause?.code)
    return {
      name: error.name,
      code: cause.code,
      constraint: cause.constraint,
      cause: cause.message,
      stack: error.stack?.split('\n').slice(-6).join('\n'),
    }
  return { name: error.name, message: error.message, stack: error.stack }
}
