import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod/mini'
import { parseJson } from '#kit/parse-json.ts'
import { type Topic, topics } from '#kit/topics.ts'
import type { Db, Tx } from '../db/connect.ts'
import { channel, deferredWritesOf, writeDeferred } from '../db/deferred-writes.ts'
import type { Change } from './changes.ts'

/** The application name of the listening connection; each process has one. */
export const listenerName = 'sauce listener'
const message = z.discriminatedUnion('to', [
  z.object({ to: z.literal('pages'), topics: z.array(z.enum(topics)), userId: z.optional(z.int()) }),
  z.object({ to: z.literal('sessions'), userId: z.int() }),
  z.object({ to: z.literal('catalogue') }),
  z.object({ to: z.literal('outbox') }),
  z.object({ to: z.literal('lines') }),
  z.object({ to: z.literal('logos') }),
  z.object({ to: z.literal('guide') }),
  z.object({ to: z.literal('webhooks') }),
  z.object({ to: z.literal('presence'), from: z.string() }),
  z.object({ to: z.literal('streams'), playId: z.string(), before: z.int(), relay: z.optional(z.string()) }),
])
/** The streams of a play from generations before `before`. `relay` names the process that must close them. Without `relay`, they have been closed. */
export type StreamsToClose = { playId: string; before: number; relay?: string | undefined }

async function send(db: Db | Tx, payload: z.output<typeof message>): Promise<void> {
  const text = JSON.stringify(payload)
  const deferred = deferredWritesOf(db)
  if (deferred) {
    deferred.notifications.add(text)
  } else await writeDeferred(db, { notifications: new Set([text]) })
}

/**
 * Notifies open pages at commit that data of these topics changed, so that they fetch the dependent endpoints again. `user` is the id of the user
 * whose data changed; omit it for data of the operator. The notification contains no data: pages fetch the current state.
 */
export async function changed(tx: Db | Tx, topic: Topic | Topic[], { user }: { user?: number } = {}): Promise<void> {
  await send(tx, { to: 'pages', topics: [topic].flat(), userId: user })
}

/** Notifies every process at commit that sessions of a user ended or that the user's role changed. */
export async function notifySessionsChanged(tx: Db | Tx, userId: number): Promise<void> {
  await send(tx, { to: 'sessions', userId })
}

/** Notifies every process at commit that public lists or settings changed. */
export async function notifyCatalog(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'catalogue' })
}

/** Notifies every process at commit that an email is queued. */
export async function notifyMail(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'outbox' })
}

/** Notifies every process at commit that a provisioning job is queued. */
export async function notifyLines(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'lines' })
}

/** Notifies every process at commit that logos are queued to be fetched. */
export async function notifyLogos(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'logos' })
}

/** Notifies every process at commit that a guide source is due. */
export async function notifyGuide(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'guide' })
}

/** Notifies every process at commit that notices for webhooks are due. The database function `queue_notice` sends the same notification. */
export async function notifyWebhooks(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'webhooks' })
}

/** Asks every process at commit to publish its visitors for a while. `processId` identifies the asking process. */
export async function requestPresence(tx: Db | Tx, processId: string): Promise<void> {
  await send(tx, { to: 'presence', from: processId })
}

/** Asks the process that opened the streams of a play to close them, on whatever machine it runs. Without `relay`, reports that they have been closed. */
export async function notifyStreams(db: Db, streams: StreamsToClose): Promise<void> {
  await send(db, { to: 'streams', ...streams })
}

export type ListenOptions = {
  connection: pg.ClientConfig
  onChange: (change: Change) => void
  onSessionsChanged: (userId: number) => void
  onCatalog: () => void
  onMail?: () => void
  onLines?: () => void
  onLogos?: () => void
  onGuide?: () => void
  onWebhooks?: () => void
  onPresence?: (processId: string) => void
  onStreams?: (streams: StreamsToClose) => void
  /** Called after every reconnection: notifications were lost, so everything cached in memory is stale. */
  onReconnect: () => void
  heartbeatMs?: number
}
export type Listener = { close: () => Promise<void> }

/** Listens on a dedicated connection and reconnects when it is lost. Resolves once it listens; rejects if the first connection fails. */
export async function listen(listening: ListenOptions): Promise<Listener> {
  const stop = new AbortController()
  let client = await connect(listening)
  const reconnectUntilStopped = async () => {
    while (!stop.signal.aborted) {
      await untilLost(client, listening.heartbeatMs ?? 15_000, stop.signal)
      for (let wait = 100; !stop.signal.aborted; wait = Math.min(wait * 2, 5_000)) {
        const next = await connect(listening).catch(() => undefined)
        if (next) {
          client = next
          listening.onReconnect()
          break
        }
        await pause(wait * (0.5 + Math.random()), undefined, { signal: stop.signal }).catch(() => undefined)
      }
    }
    await client.end().catch(() => undefined)
  }
  const ended = reconnectUntilStopped()
  return {
    close: () => {
      stop.abort()
      return ended
    },
  }
}

async function connect({
  connection,
  onChange,
  onSessionsChanged,
  onCatalog,
  onMail,
  onLines,
  onLogos,
  onGuide,
  onWebhooks,
  onPresence,
  onStreams,
}: ListenOptions): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    application_name: listenerName,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    statement_timeout: 5_000,
    query_timeout: 5_000,
  })
  // An 'error' event without a handler would end the process; `untilLost` handles the 'end' that follows.
  client.on('error', () => undefined)
  client.on('notification', ({ payload = '' }) => {
    const parsed = message.safeParse(parseJson(payload))
    if (!parsed.success) return
    if (parsed.data.to === 'pages') onChange(parsed.data)
    else if (parsed.data.to === 'sessions') onSessionsChanged(parsed.data.userId)
    else if (parsed.data.to === 'outbox') onMail?.()
    else if (parsed.data.to === 'lines') onLines?.()
    else if (parsed.data.to === 'logos') onLogos?.()
    else if (parsed.data.to === 'guide') onGuide?.()
    else if (parsed.data.to === 'webhooks') onWebhooks?.()
    else if (parsed.data.to === 'presence') onPresence?.(parsed.data.from)
    else if (parsed.data.to === 'streams') onStreams?.(parsed.data)
    else onCatalog()
  })
  try {
    await client.connect()
    await client.query(`LISTEN ${channel}`)
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** Resolves when the connection is closed or unresponsive, or when listening stops. */
async function untilLost(client: pg.Client, heartbeatMs: number, stop: AbortSignal): Promise<void> {
  const closed = new AbortController()
  client.once('end', () => closed.abort())
  const closedOrStopped = AbortSignal.any([closed.signal, stop])
  while (!closedOrStopped.aborted) {
    await pause(heartbeatMs, undefined, { signal: closedOrStopped, ref: false }).catch(() => undefined)
    if (closedOrStopped.aborted) break
    // A peer that vanished without closing the connection is only detected by a query.
    await client.query('select 1').catch(() => closed.abort())
  }
  if (!stop.aborted) await client.end().catch(() => undefined)
}
