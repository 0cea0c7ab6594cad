import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod/mini'
import type { Db, Tx } from '../db/connect.ts'
import { channel, deferredWritesOf, deferWrites } from '../db/deferred-writes.ts'

/** What a listening connection calls itself: each process has one. */
export const listenerName = 'sauce listener'
const message = z.discriminatedUnion('to', [
  z.object({ to: z.literal('user'), userId: z.int(), endpoints: z.array(z.string()) }),
  z.object({ to: z.literal('admins'), endpoints: z.array(z.string()) }),
  z.object({ to: z.literal('catalogue') }),
  z.object({ to: z.literal('outbox') }),
  z.object({ to: z.literal('lines') }),
  z.object({ to: z.literal('logos') }),
  z.object({ to: z.literal('presence'), from: z.string() }),
])

async function send(db: Db | Tx, payload: z.output<typeof message>): Promise<void> {
  const text = JSON.stringify(payload)
  const ending = deferredWritesOf(db)
  if (ending) ending.notifications.push(text)
  else await deferWrites(db, { notifications: [text] })
}

/**
 * Tells every process, once the transaction commits, that answers of these endpoints changed for a user. An empty list says
 * that sessions ended. A hint only: whoever hears it reads the table.
 */
export async function notifyUser(tx: Db | Tx, userId: number, endpointIds: string[]): Promise<void> {
  await send(tx, { to: 'user', userId, endpoints: endpointIds })
}

/** The same for every administrator's open pages. */
export async function notifyAdmins(tx: Db | Tx, endpointIds: string[]): Promise<void> {
  await send(tx, { to: 'admins', endpoints: endpointIds })
}

/** Tells every process, once the transaction commits, that public lists or settings changed. */
export async function notifyCatalogue(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'catalogue' })
}

/** Tells every process, once the transaction commits, that a mail waits to be sent. */
export async function notifyMail(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'outbox' })
}

/** Tells every process, once the transaction commits, that something has to be done about a line. */
export async function notifyLines(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'lines' })
}

/** Tells every process, once the transaction commits, that logos wait to be fetched. */
export async function notifyLogos(tx: Db | Tx): Promise<void> {
  await send(tx, { to: 'logos' })
}

/** Asks every process, at the commit, to say for a while who has its pages open. `processId` is who asks. */
export async function notifyPresence(tx: Db | Tx, processId: string): Promise<void> {
  await send(tx, { to: 'presence', from: processId })
}

export type Listening = {
  connection: pg.ClientConfig
  onUser: (userId: number, endpointIds: string[]) => void
  onAdmins?: (endpointIds: string[]) => void
  onCatalogue: () => void
  onMail?: () => void
  onLines?: () => void
  onLogos?: () => void
  onPresence?: (processId: string) => void
  /** After every reconnection: messages were lost, so everything kept in memory is doubtful. */
  onReconnect: () => void
  heartbeatMs?: number
}
export type Listener = { close: () => Promise<void> }

/** Listens on a connection of its own and takes up again whenever that is lost. Resolves when the first one listens; throws when it cannot. */
export async function listen(listening: Listening): Promise<Listener> {
  const stop = new AbortController()
  let client = await connected(listening)
  const keepOn = async () => {
    while (!stop.signal.aborted) {
      await lost(client, listening.heartbeatMs ?? 15_000, stop.signal)
      for (let wait = 100; !stop.signal.aborted; wait = Math.min(wait * 2, 5_000)) {
        const next = await connected(listening).catch(() => undefined)
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
  const ended = keepOn()
  return {
    close: () => {
      stop.abort()
      return ended
    },
  }
}

async function connected({
  connection,
  onUser,
  onAdmins,
  onCatalogue,
  onMail,
  onLines,
  onLogos,
  onPresence,
}: Listening): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    application_name: listenerName,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    statement_timeout: 5_000,
    query_timeout: 5_000,
  })
  // Without a handler a lost connection would end the process; `lost` hears the end that follows.
  client.on('error', () => undefined)
  client.on('notification', ({ payload = '' }) => {
    const heard = message.safeParse(parsed(payload))
    if (!heard.success) return
    if (heard.data.to === 'user') onUser(heard.data.userId, heard.data.endpoints)
    else if (heard.data.to === 'admins') onAdmins?.(heard.data.endpoints)
    else if (heard.data.to === 'outbox') onMail?.()
    else if (heard.data.to === 'lines') onLines?.()
    else if (heard.data.to === 'logos') onLogos?.()
    else if (heard.data.to === 'presence') onPresence?.(heard.data.from)
    else onCatalogue()
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

/** Resolves when the connection is gone or no longer answers, or when listening stops. */
async function lost(client: pg.Client, heartbeatMs: number, stop: AbortSignal): Promise<void> {
  const gone = new AbortController()
  client.once('end', () => gone.abort())
  const either = AbortSignal.any([gone.signal, stop])
  while (!either.aborted) {
    await pause(heartbeatMs, undefined, { signal: either, ref: false }).catch(() => undefined)
    if (either.aborted) break
    // A connection whose other end vanished without a word looks alive until it is asked.
    await client.query('select 1').catch(() => gone.abort())
  }
  if (!stop.aborted) await client.end().catch(() => undefined)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
