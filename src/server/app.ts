import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { routes as accounts } from '#features/accounts/server/routes.ts'
import { routes as announcements } from '#features/announcements/server/routes.ts'
import { routes as apiKeys } from '#features/api-keys/server/routes.ts'
import { routes as audit } from '#features/audit/server/routes.ts'
import { routes as billing } from '#features/billing/server/routes.ts'
import { routes as brand } from '#features/brand/server/routes.ts'
import { routes as catalog } from '#features/catalog/server/routes.ts'
import { routes as chat } from '#features/chat/server/routes.ts'
import { routes as customers } from '#features/customers/server/routes.ts'
import { routes as desk } from '#features/desk/server/routes.ts'
import { routes as devices, mountTvApps } from '#features/devices/server/routes.ts'
import { routes as guide } from '#features/guide/server/routes.ts'
import { routes as imageRoutes } from '#features/images/server/routes.ts'
import { routes as impersonation } from '#features/impersonation/server/routes.ts'
import { routes as imports } from '#features/imports/server/routes.ts'
import { routes as incidents } from '#features/incidents/server/routes.ts'
import { routes as inquiries } from '#features/inquiries/server/routes.ts'
import { routes as insight } from '#features/insight/server/routes.ts'
import { routes as installation } from '#features/installation/server/routes.ts'
import { routes as iptv } from '#features/iptv/server/routes.ts'
import { routes as mails } from '#features/mails/server/routes.ts'
import { routes as passkeys } from '#features/passkeys/server/routes.ts'
import { routes as payments } from '#features/payments/server/routes.ts'
import { routes as provisioning } from '#features/provisioning/server/routes.ts'
import { routes as receipts } from '#features/receipts/server/routes.ts'
import { routes as referrals } from '#features/referrals/server/routes.ts'
import { routes as reports } from '#features/reports/server/routes.ts'
import { routes as savedViews } from '#features/saved-views/server/routes.ts'
import { mountSample, routes as selfCheck } from '#features/self-check/server/routes.ts'
import { routes as sessions } from '#features/sessions/server/routes.ts'
import { routes as settings } from '#features/settings/server/routes.ts'
import { routes as staff } from '#features/staff/server/routes.ts'
import { routes as subscriptions } from '#features/subscriptions/server/routes.ts'
import { routes as tickets } from '#features/tickets/server/routes.ts'
import { routes as trials } from '#features/trials/server/routes.ts'
import { routes as twoFactor } from '#features/two-factor/server/routes.ts'
import { routes as visitors } from '#features/visitors/server/routes.ts'
import { mountStreams, routes as watch } from '#features/watch/server/routes.ts'
import { routes as watchProgress } from '#features/watch-progress/server/routes.ts'
import { routes as watchlist } from '#features/watchlist/server/routes.ts'
import { routes as webhooks } from '#features/webhooks/server/routes.ts'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { Refusal } from './errors.ts'
import { compressed } from './http/compress.ts'
import { errorResponse } from './http/error-response.ts'
import { commonHeaders } from './http/headers.ts'
import { mountDocs } from './http/openapi/mount-docs.ts'
import { callerOf, clientIp, sessionCookieName } from './http/request.ts'
import type { PageSession } from './http/request-user.ts'
import { type PublicPaths, ResponseCache } from './http/response-cache.ts'
import { type AppContext, mount, type RenderMail, type Route } from './http/route.ts'
import { mountSiteFiles, siteFilePaths } from './http/static/site-files.ts'
import { mountStatic } from './http/static/static.ts'
import { addDefaultHeaders } from './http/text-response.ts'
import { Presence } from './live/presence.ts'
import { countRequests, type Metrics, mountMetrics } from './observability/metrics.ts'
import { isOutboundHeld } from './outbound/outbound-gate.ts'

/** All routes. The OpenAPI document and the access tests use this list too. */
export const routes: Route[] = [
  ...accounts,
  ...subscriptions,
  ...customers,
  ...desk,
  ...savedViews,
  ...staff,
  ...webhooks,
  ...apiKeys,
  ...catalog,
  ...imageRoutes,
  ...imports,
  ...brand,
  ...settings,
  ...audit,
  ...inquiries,
  ...tickets,
  ...insight,
  ...chat,
  ...billing,
  ...payments,
  ...receipts,
  ...referrals,
  ...trials,
  ...reports,
  ...incidents,
  ...announcements,
  ...guide,
  ...watch,
  ...devices,
  ...selfCheck,
  ...watchProgress,
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

/** The page renderer. `send` passes a request to the app in this process, so that pages use the same endpoints as the browser. */
export type Pages = {
  render: (request: Request, send: (url: string, init: RequestInit) => Promise<Response>) => Promise<Response>
  publicPaths: PublicPaths
  renderMail: RenderMail
  builtAt: Date
}
/** `answerDirectly` answers requests that need not pass through Hono. It returns false for all other requests. */
export type App = { hono: Hono; responseCache: ResponseCache; answerDirectly: ReturnType<typeof mountStreams> }
type AppOptions = Omit<AppContext, 'clearResponseCache' | 'cacheGeneration' | 'presence'> & {
  presence?: Presence
  pages?: Pages
  staticRoot?: string
  metrics?: Metrics
  /** Whether the process is shutting down: it still answers requests, but reports that it is not ready. */
  isShuttingDown?: () => boolean
}

const isOfPage = (env: unknown): boolean => (env as { page?: PageSession } | undefined)?.page !== undefined

/** Creates the application as a fetch handler, without a server or background jobs. */
export function createApp(options: AppOptions): App {
  const hono = new Hono()
  const { presence = new Presence() } = options
  const onPage = ({ socket, headers, url = '/' }: IncomingMessage) => {
    if (headers['sec-purpose'] !== undefined) return
    const ip = clientIp(
      socket.remoteAddress,
      headers['x-forwarded-for'] as string | undefined,
      options.config.trustProxy,
    )
    presence.recordPageRequest(ip, (headers['user-agent'] ?? '').slice(0, 256), url)
  }
  const responseCache = new ResponseCache(options.config, { onPage, pages: options.pages?.publicPaths })
  const context: AppContext = {
    ...options,
    presence,
    clearResponseCache: () => responseCache.clear(),
    cacheGeneration: () => responseCache.generation,
  }
  const lists = new Set<string>([...endpoints.filter((e) => e.cacheSeconds).map((e) => e.path), ...siteFilePaths])
  const images = new Set<string>(endpoints.filter((e) => e.file === 'image/*').map((e) => e.path))
  const cookie = `${sessionCookieName(options.config)}=`
  const common = commonHeaders(options.config)

  if (options.metrics) countRequests(hono, options.metrics)
  hono.use(async (c, next) => {
    c.set('requestId' as never, randomUUID() as never)
    const { generation } = responseCache
    const address = c.req.url.slice(c.req.url.indexOf('/', 'https://'.length))
    const isForEveryone = lists.has(address)
    await next()
    // A response that a page reads within this process is not sent over a connection.
    if (isOfPage(c.env) && !isForEveryone) return
    const page = responseCache.isPage(address) && !c.req.header('cookie')?.includes(cookie)
    const mayCache = c.req.method === 'GET' && (isForEveryone || page)
    const isImage =
      images.has(c.get('route' as never) as string) &&
      c.req.method === 'GET' &&
      c.res.status === 200 &&
      !address.includes('?')
    // Added first, because the cache stores the headers with the response.
    if (mayCache || isImage) addDefaultHeaders(c.res, common)
    if (isImage) responseCache.storeImage(address, c.res, Buffer.from(await c.res.clone().arrayBuffer()))
    if (mayCache && c.res.status === 200)
      responseCache.store(address, c.res, await c.res.clone().text(), isForEveryone, generation)
    const stale = mayCache && c.res.status === 503 ? responseCache.staleResponse(address) : undefined
    const isOwnPage =
      c.req.header('cookie')?.includes(cookie) && c.res.headers.get('content-type')?.startsWith('text/html')
    const sent = await compressed(stale ?? c.res, c.req.header('accept-encoding'))
    // Set after compressing, because `compressed` does not compress no-store responses.
    if (isOwnPage) sent.headers.set('cache-control', 'no-store')
    addDefaultHeaders(sent, common)
    if (sent !== c.res) {
      // Cleared first, because Hono would otherwise merge the old headers into the new response.
      c.res = undefined
      c.res = sent
    }
  })

  if (options.metrics) mountMetrics(hono, options.metrics, options.config)
  mount(hono, routes, context)
  mountSample(hono, context)
  const answerDirectly = mountStreams(hono, context, (status, tookMs) =>
    options.metrics?.request('GET', 'pages', status, tookMs),
  )
  mountTvApps(hono, context)
  hono.get('/healthz', (c) => c.json({ ok: true }))
  const refuseDuringShutdown = () => {
    if (options.isShuttingDown?.())
      throw new Refusal(503, 'leaving', 'This process is shutting down', { headers: { 'retry-after': '5' } })
  }
  hono.get('/readyz', async (c) => {
    refuseDuringShutdown()
    await context.db.execute('select 1')
    // Shutdown may have begun during the query.
    refuseDuringShutdown()
    return c.json({ ok: true, ...((await isOutboundHeld()) && { held: true }) })
  })
  mountDocs(hono, endpoints, options.config.publicUrl)
  hono.all('/api/*', () => {
    throw new Refusal(404, 'no_such_endpoint', 'Not found')
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
  if (options.pages) mountSiteFiles(hono, { ...context, ...options.pages })
  if (options.staticRoot) mountStatic(hono, options.staticRoot)
  if (options.pages) {
    const { render } = options.pages
    hono.get('*', async (c) => {
      const headers = { cookie: c.req.header('cookie') ?? '', 'user-agent': c.req.header('user-agent') ?? '' }
      const page: PageSession = {}
      const response = await render(
        c.req.raw,
        // The signal is dropped: nothing aborts it, and creating a Request with a signal costs more than all other preparation for its handler.
        async (url, { signal: _, ...init }) =>
          responseCache.freshList(url) ?? hono.request(url, { ...init, headers }, { page }),
      )
      if (response.status === 200 && c.req.method === 'GET' && !c.req.header('sec-purpose')) {
        const { ip, userAgent, sessionToken } = callerOf(c, options.config)
        presence.recordPageRequest(ip, userAgent, c.req.path, sessionToken)
      }
      return response
    })
  }

  hono.notFound((c) => c.json({ message: 'Not found', code: 'not_found' }, 404))
  hono.onError((error, c) => errorResponse(error, c, context.log))
  return { hono, responseCache, answerDirectly }
}
