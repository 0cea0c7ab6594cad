import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { startGuideReader } from '#features/guide/server/ingest/reader.ts'
import { clientConfig } from '#server/db/connect.ts'
import { channelStreams, channels, guideSources } from '#server/db/tables.ts'
import { seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { buildApp, type SignedIn, type TestApp } from './app.ts'
import { silentLog } from './silent-log.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer }
export type GuideSourcesWorld = {
  app: TestApp
  admin: SignedIn
  connection: ReturnType<typeof clientConfig>
  /** The server from which files are read: its responses by path, and the headers of all requests. */
  server: { url: string; answers: Record<string, Answer>; requests: { path: string; headers: IncomingHttpHeaders }[] }
  /** Adds a channel to the lineup. Returns its id. */
  addChannel: (name: string, stream?: { epgId?: string; archiveDays?: number }) => Promise<number>
  /** Adds a source that is due. Returns its id. */
  addSource: (path: string | null, more?: Partial<typeof guideSources.$inferInsert>) => Promise<number>
  /** Reads every source that is due, in a worker thread as the product does. */
  read: () => Promise<number>
  source: (id: number) => Promise<typeof guideSources.$inferSelect>
  close: () => Promise<void>
}

/** An app with a server of XMLTV files on the host of its panel, which may have a private address. */
export async function guideSourcesWorld(): Promise<GuideSourcesWorld> {
  const key = randomBytes(32)
  const answers: Record<string, Answer> = {}
  const requests: GuideSourcesWorld['server']['requests'] = []
  const http = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const { status = 200, headers = {}, body = '' } = answers[path] ?? { status: 404 }
    const isKnown = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag
    if (isKnown) response.writeHead(304).end()
    else response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const app = await buildApp({
    config: {
      secretKey: key.toString('base64'),
      panelAllowPrivate: true,
      panel: { url, allowPrivate: true, userAgent: 'VLC/3.0.18 LibVLC/3.0.18', neverExpires: [] },
    },
  })
  const { db, context, database } = app
  const connection = clientConfig(database.address)
  const reader = startGuideReader({ db, config: context.config, log: silentLog, connection })
  return {
    app,
    admin: await app.signInAdmin(),
    connection,
    server: { url, answers, requests },
    addChannel: async (name, stream) => {
      const [channel] = await db
        .insert(channels)
        .values({ name, category: 'news', logo: 'mark:C' })
        .returning({ id: channels.id })
      if (stream) await db.insert(channelStreams).values({ channelId: channel!.id, ...stream })
      return channel!.id
    },
    addSource: async (path, more = {}) => {
      const [row] = await db
        .insert(guideSources)
        .values({ name: randomBytes(6).toString('hex'), nextAt: new Date(0).toISOString(), ...more })
        .returning({ id: guideSources.id })
      const sealed = path === null ? null : seal(key, `${url}${path}`, sealedColumns.guideAddress.context(row!.id))
      await db.update(guideSources).set({ sealed }).where(eq(guideSources.id, row!.id))
      return row!.id
    },
    read: reader.run,
    source: async (id) => (await db.select().from(guideSources).where(eq(guideSources.id, id)))[0]!,
    close: async () => {
      await reader.stop()
      await app.close()
      await new Promise((done) => http.close(done))
    },
  }
}
