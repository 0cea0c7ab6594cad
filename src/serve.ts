import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { ensureFirstAdmin } from '#features/accounts/server/service/create-first-admin.ts'
import { sendJob as sendAnnouncementsJob } from '#features/announcements/server/jobs.ts'
import { startLogoWorker } from '#features/catalog/server/import/fetch-logos.ts'
import { wasSampleRemoved } from '#features/catalog/server/service/sample-content.ts'
import { assertChatUsable } from '#features/chat/server/service.ts'
import { startGuideReader } from '#features/guide/server/ingest/reader.ts'
import { clearNowCache } from '#features/guide/server/read/read-now.ts'
import { emailJob as emailImportedJob } from '#features/imports/server/jobs.ts'
import { openOutbox } from '#features/mails/server/jobs.ts'
import { loadSmtp } from '#features/mails/server/mail-server/load-smtp.ts'
import { loadProvisioningConfig } from '#features/provisioning/server/config.ts'
import { startLineWorker } from '#features/provisioning/server/jobs.ts'
import { systemResolver } from '#features/receipts/server/mailbox/config.ts'
import { startMailboxReader } from '#features/receipts/server/mailbox/reader.ts'
import { addPaymentMetrics } from '#features/receipts/server/payment-metrics.ts'
import { retryEvents } from '#features/receipts/server/webhooks/settle-event.ts'
import * as settings from '#features/settings/server/service.ts'
import { openCountryDatabase } from '#features/visitors/server/country.ts'
import { watchVisitors } from '#features/visitors/server/watch.ts'
import { readPanelListingsJob } from '#features/watch/server/listings/read-watched.ts'
import { streamCloser } from '#features/watch/server/relay/close-streams.ts'
import { watchStreams } from '#features/watch/server/watch-metrics.ts'
import { addWebhookMetrics } from '#features/webhooks/server/webhook-metrics.ts'
import { startWebhookWorker } from '#features/webhooks/server/worker.ts'
import { createApp, endpoints, type Pages } from '#server/app.ts'
import { createDrain } from '#server/cluster/drain.ts'
import { exitGracefully } from '#server/cluster/graceful-exit.ts'
import { receiveConnections, stopTakingConnections } from '#server/cluster/worker.ts'
import type { Config } from '#server/config.ts'
import type { OpenDatabase } from '#server/db/open.ts'
import { seedSample } from '#server/db/seed.ts'
import { httpServer, type Listener, requestListener } from '#server/http/http-server.ts'
import { listen } from '#server/http/listen.ts'
import { builtPages } from '#server/http/pages.ts'
import { claim, heldBecause, identityOf, readOwnership } from '#server/installation.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { addUpCounts } from '#server/lists/list-count.ts'
import { Presence } from '#server/live/presence.ts'
import { liveSockets } from '#server/live/socket.ts'
import { Metrics } from '#server/observability/metrics.ts'
import { holdOutbound } from '#server/outbound/outbound-gate.ts'
import { Admission } from '#server/overload/admission.ts'
import { RateLimits } from '#server/overload/rate-limit.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { hashesAtOnce, Passwords } from '#server/session/password.ts'
import { allJobs } from './all-jobs.ts'

const root = join(import.meta.dirname, '..')

/** Runs one server process. `number` is its worker number, if there are several. If this throws, the caller closes the database. */
export async function startServing(
  config: Config,
  log: Logger,
  opening: Promise<OpenDatabase>,
  { dev, number }: { dev: boolean; number: number | undefined },
): Promise<void> {
  assertChatUsable(config)
  const server = httpServer(config, { anyUpgrade: dev })
  const [database, pages] = await Promise.all([
    opening,
    dev
      ? developmentPages(config, server)
      : builtPages(config, join(root, 'dist')).then((pages) => ({ pages, wrap: undefined })),
  ])
  await serve({ config, log, server, number }, database, pages)
}

type PagesAndMiddleware = { pages: Pages; wrap: ((next: Listener) => Listener) | undefined }

type Process = { config: Config; log: Logger; server: Server; number: number | undefined }

async function serve(
  { config, log, server, number }: Process,
  database: OpenDatabase,
  { pages, wrap }: PagesAndMiddleware,
): Promise<void> {
  // Validates the secret key first, so that an unusable key fails the start and not a later request.
  await holdUnlessLive(database, config, log)
  const metrics = new Metrics(number)
  const presence = new Presence(secretKey(config).current)
  openCountryDatabase(config.geoipDatabase, log)
  const passwords = new Passwords({ atOnce: hashesAtOnce(config.processes) })
  if (config.seed === 'sample' && !(await wasSampleRemoved(database.db))) await seedSample(database.db)
  const admin = await ensureFirstAdmin({ db: database.db, config, passwords })
  // Printed before anything else can fail, because the password is shown only once.
  if (admin) announceAdmin(config, admin)
  const rateLimits = new RateLimits(database.pool, config)
  const drain = createDrain(server, number === undefined ? undefined : stopTakingConnections)
  const admission = new Admission(config, endpoints, log)
  const app = createApp({
    config,
    db: database.db,
    replica: database.replica,
    log,
    limits: rateLimits,
    passwords,
    presence,
    renderMail: pages.renderMail,
    pages,
    metrics,
    onAdministratorSession: (token) => admission.rememberAdministrator(token),
    slotOf: (request) => admission.slotOf(request),
    isShuttingDown: () => drain.begun,
    staticRoot: wrap ? undefined : join(root, 'dist/client'),
  })
  metrics.watch({
    pool: database.pool,
    presence,
    responseCache: app.responseCache,
    limiters: admission.limiters,
    replica: database.replica,
  })
  addPaymentMetrics(metrics, database.db)
  addWebhookMetrics(metrics, database.db)
  watchStreams(metrics, { db: database.db, config, log })
  const answer = requestListener(app, config, { drain, admission })
  server.on('request', wrap ? wrap(answer) : answer)
  const sockets = liveSockets({ server, config, log, db: database.db, endpoints, presence })
  const visitors = watchVisitors({ db: database.db, config, log, presence })
  const clearCaches = () => {
    settings.clearCache()
    app.responseCache.clear()
    clearNowCache(database.db)
  }
  const outbox = openOutbox({
    db: database.db,
    config,
    log,
    renderMail: pages.renderMail,
    keys: () => secretKey(config),
    loadSmtp: () => loadSmtp({ db: database.db, config }),
  })
  const lines = startLineWorker({
    db: database.db,
    log,
    key: () => secretKey(config),
    loadConfig: (panelId) => loadProvisioningConfig(database.db, config, panelId),
  })
  const logos = startLogoWorker({ db: database.db, config, log })
  const guide = startGuideReader({ db: database.db, config, log, connection: database.connection })
  const notices = startWebhookWorker({ db: database.db, config, log })
  const mailbox = startMailboxReader({ db: database.db, config, log, resolver: systemResolver })
  const listener = await database.listen({
    onChange: sockets.notify,
    onSessionsChanged: sockets.endUser,
    onCatalog: () => {
      clearCaches()
      mailbox.wake()
    },
    onPresence: visitors.onRequest,
    onStreams: streamCloser({ db: database.db, config, log }),
    onMail: outbox.wake,
    onLines: lines.wake,
    onLogos: logos.wake,
    onGuide: guide.wake,
    onWebhooks: notices.wake,
    onReconnect: () => {
      settings.clearCache()
      app.responseCache.markStale()
      outbox.wake()
      lines.wake()
      logos.wake()
      notices.wake()
      sockets
        .resync()
        .catch((error: Error) => log.warn({ message: error.message }, 'rechecking WebSocket sessions failed'))
    },
  })

  if (number !== undefined) receiveConnections(server)
  else await listen(server, config)
  log.info({ url: config.publicUrl, ms: Math.round(performance.now()) }, 'ready')
  // Startup leaves about 20 MB of garbage, which V8 does not collect while few new objects are allocated.
  setTimeout(() => globalThis.gc?.({ type: 'major', execution: 'async' }), 1_000).unref()
  const addUpCountsJob = { name: 'add-up-counts', cron: '* * * * *', run: () => addUpCounts(database.db) }
  const events = { db: database.db, config }
  const retryEventsJob = { name: 'retry-payment-events', cron: '* * * * *', run: () => retryEvents(events) }
  const jobs = startJobs({
    pool: database.pool,
    log,
    jobs: [
      ...allJobs(database.db),
      ...outbox.jobs,
      ...lines.jobs,
      ...logos.jobs,
      ...guide.jobs,
      ...notices.jobs,
      addUpCountsJob,
      retryEventsJob,
      sendAnnouncementsJob({ db: database.db, config }),
      emailImportedJob({ db: database.db, config }),
      readPanelListingsJob({ db: database.db, config, log }),
    ],
    onRun: (name, isDone) => metrics.job(name, isDone),
  })
  outbox.wake()
  lines.wake()
  logos.wake()
  notices.wake()
  exitGracefully(log, [
    () => database.expectEnd(),
    // SIGINT (Ctrl-C in a terminal) closes idle connections instead of waiting for them.
    (signal) =>
      Promise.all([
        drain.end({ patient: signal !== 'SIGINT' }),
        sockets.close(),
        jobs.stop(),
        outbox.stop(),
        lines.stop(),
        logos.stop(),
        guide.stop(),
        notices.stop(),
        mailbox.stop(),
      ]),
    () => visitors.stop(),
    () => listener.close(),
    () => database.close(),
  ])
}

/** Blocks outbound calls and email until this installation is known to be the live one. A copy stays blocked until an administrator declares it live. */
async function holdUnlessLive({ db }: OpenDatabase, config: Config, log: Logger): Promise<void> {
  const identity = await identityOf(db, config)
  holdOutbound(async () => heldBecause(identity, await readOwnership(db)) !== null)
  const reason = await claim(db, identity)
  if (reason)
    log.warn(
      { reason },
      'this installation is not live: it calls no panel and sends no email until an administrator declares it live',
    )
}

/** Serves pages through Vite on the app's port. Imported dynamically, so that production does not load it. */
async function developmentPages(
  config: Config,
  server: Server,
): Promise<{ pages: Pages; wrap: (next: Listener) => Listener }> {
  const { developmentServer } = await import('#server/development.ts')
  return developmentServer(config, server)
}

function announceAdmin(config: Config, admin: { username: string; password: string }): void {
  process.stdout.write(
    `\n  The first administrator was created. Save this password; it is shown only once:\n    ${config.publicUrl}/auth\n    username  ${admin.username}\n    password  ${admin.password}\n\n`,
  )
}
