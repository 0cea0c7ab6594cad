import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import * as z from 'zod/mini'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { type FromServer, fromBrowser } from '#kit/live.ts'
import { parseJson } from '#kit/parse-json.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { bareResponse } from '../http/bare-response.ts'
import { isSameOrigin } from '../http/origin.ts'
import { clientIp, hasOneHost, sessionTokenIn } from '../http/request.ts'
import { limits } from '../limits.ts'
import { Quota } from '../overload/quota.ts'
import { networkOf } from '../overload/rate-limit.ts'
import { userOfToken } from '../session/session.ts'
import { type Change, staleEndpoints } from './changes.ts'
import type { Connection } from './connection.ts'
import { Presence } from './presence.ts'

type TrackedConnection = Connection & { missedPongs: number; windowStart: number; messages: number }
type Options = {
  server: Server
  config: Config
  log: Logger
  db: Db
  endpoints: AnyEndpoint[]
  presence?: Presence
}

export type LiveSockets = {
  connections: ReadonlySet<Connection>
  /** Tells each page that a change concerns which endpoints to fetch again. */
  notify: (change: Change) => void
  /** Closes the sockets of a user whose sessions ended or whose role changed. The pages reconnect with their current session. */
  endUser: (userId: number) => void
  /** Call after notifications may have been lost: closes the sockets of ended sessions and makes all other pages refetch. */
  resync: () => Promise<void>
  close: () => Promise<void>
}

/** Whether a request is for the page socket `/ws`. Compares the raw URL, because an exception here would end the process. */
export const wantsSocket = ({ url }: Pick<IncomingMessage, 'url'>): boolean => url?.split('?')[0] === '/ws'

/** Serves WebSockets at `/ws`. Other upgrade requests are ignored, for the development server. */
export function liveSockets({ server, config, log, db, endpoints, presence = new Presence() }: Options): LiveSockets {
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: limits.socket.maxPayloadBytes,
    maxFragments: limits.socket.maxFragments,
    maxBufferedChunks: limits.socket.maxChunks,
    maxPendingAutoPongs: limits.socket.maxPendingPongs,
    perMessageDeflate: false,
    clientTracking: false,
  } as never)
  wss.on('wsClientError', (_error, duplex, { method }) => refuse(duplex, method === 'GET' ? 400 : 405, config))
  const staleFor = staleEndpoints(endpoints)
  const connections = presence.connections as Set<TrackedConnection>
  /** Recent changes, for pages that were loaded before a change and opened their socket after it. */
  let recent: { at: number; change: Change }[] = []
  /** `recent` contains all changes since this `performance.now()` time. A page may have been loaded earlier, from another process. */
  let completeSince = performance.now()
  server.once('listening', () => {
    completeSince = performance.now()
  })
  let closing = false

  const addressQuota = new Quota(limits.socket.perIp * config.rateLimitFactor)
  const sessionQuota = new Quota(limits.socket.perSession * config.rateLimitFactor)
  /** Takes a unit of the quota until the connection closes, whether or not the upgrade succeeds. */
  const reserve = (quota: Quota, name: string, duplex: Duplex): boolean => {
    if (duplex.closed || !quota.take(name)) return false
    duplex.once('close', () => quota.release(name))
    return true
  }

  const onUpgrade = (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    if (!wantsSocket(request)) return
    duplex.on('error', () => duplex.destroy())
    admit(request, duplex).then(
      (visitor) => {
        if (typeof visitor === 'number') return refuse(duplex, visitor, config)
        if (closing) return refuse(duplex, 503, config)
        wss.handleUpgrade(request, duplex, head, (socket) =>
          register({
            ...visitor,
            socket,
            lastActive: Date.now(),
            missedPongs: 0,
            windowStart: performance.now(),
            messages: 0,
          }),
        )
      },
      (error: Error) => {
        log.warn({ message: error.message }, 'opening a socket failed')
        refuse(duplex, 503, config)
      },
    )
  }

  async function admit(
    request: IncomingMessage,
    duplex: Duplex,
  ): Promise<Omit<Connection, 'socket' | 'lastActive'> | number> {
    const { headers } = request
    const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? null
    if (!hasOneHost(request)) return 400
    if (
      !headers.origin ||
      !isSameOrigin(first(headers['sec-fetch-site']), headers.origin, headers.host ?? null, config)
    )
      return 403
    if (closing || connections.size >= limits.socket.total) return 503
    const ip = clientIp(request.socket.remoteAddress, first(headers['x-forwarded-for']) ?? undefined, config.trustProxy)
    // Before the session lookup, so that clients with too many sockets cause no queries.
    if (!reserve(addressQuota, networkOf(ip), duplex)) return 429
    const sessionToken = sessionTokenIn(headers.cookie, config)
    const user = await userOfToken({ db }, sessionToken, { isBackground: true })
    if (user && !reserve(sessionQuota, sessionToken!, duplex)) return 429
    const userAgent = (headers['user-agent'] ?? '').slice(0, limits.presence.textLength)
    const trace = presence.traceOf({ ip, userAgent })
    return {
      user,
      sessionToken: user ? sessionToken : undefined,
      ip,
      userAgent,
      trace,
      browser: randomUUID(),
      path: '/ws',
    }
  }

  function register(connection: TrackedConnection): void {
    const { socket } = connection
    presence.opened(connection)
    socket.on('message', (data, isBinary) => (isBinary ? socket.close(1003) : handleMessage(connection, String(data))))
    socket.on('pong', () => void Object.assign(connection, { missedPongs: 0 }))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => presence.closed(connection))
    send(connection, { type: 'ping' })
  }

  function handleMessage(connection: TrackedConnection, text: string): void {
    const { socket, user } = connection
    const now = performance.now()
    if (now - connection.windowStart > limits.socket.messageWindowMs)
      Object.assign(connection, { windowStart: now, messages: 0 })
    if (++connection.messages > limits.socket.messages) {
      socket.close(1008, 'too many messages')
      return
    }
    const message = z.safeParse(fromBrowser, parseJson(text)).data
    if (!message) return
    connection.missedPongs = 0
    if (message.type !== 'pong') connection.lastActive = Date.now()
    if (message.type === 'ping') send(connection, { type: 'pong', timestamp: Date.now() })
    if (message.type === 'page') {
      connection.path = message.path.slice(0, limits.presence.textLength)
      connection.browser = message.browser ?? connection.browser
      presence.moved()
    }
    if (message.type === 'auth') {
      const isGenuine =
        user !== null && (message.userId === undefined || message.userId === null || message.userId === user.id)
      if (!isGenuine && message.userId)
        log.warn({ claimed: message.userId, session: user?.id ?? null }, 'a socket claimed another user id')
      send(connection, { type: 'auth', ok: isGenuine })
      if (isGenuine && message.loadedMsAgo !== undefined) sendMissed(connection, now - message.loadedMsAgo)
    }
  }

  function sendMissed(connection: TrackedConnection, since: number): void {
    if (since < Math.max(completeSince, performance.now() - limits.socket.recentMs))
      send(connection, { type: 'changed', endpoints: [] })
    else for (const { at, change } of recent) if (at >= since) sendChange(connection, change)
  }

  function sendChange(connection: TrackedConnection, change: Change): void {
    const stale = connection.user ? staleFor(change, connection.user) : []
    if (stale.length > 0) send(connection, { type: 'changed', endpoints: stale })
  }

  const heartbeat = setInterval(() => {
    for (const connection of connections) {
      if (++connection.missedPongs > limits.socket.missedPongs) connection.socket.terminate()
      else connection.socket.ping()
    }
  }, limits.socket.pingMs)

  server.on('upgrade', onUpgrade)
  return {
    connections,
    notify: (change) => {
      recent.push({ at: performance.now(), change })
      if (recent.length > 2 * limits.socket.maxRecentChanges) {
        recent = recent.slice(-limits.socket.maxRecentChanges)
        completeSince = recent[0]!.at
      }
      for (const connection of connections) sendChange(connection, change)
    },
    endUser: (userId) => {
      for (const { user, socket } of connections) if (user?.id === userId) socket.close(4401, 'session ended')
    },
    resync: async () => {
      completeSince = performance.now()
      for (const connection of connections) {
        if (!connection.user) continue
        const user = await userOfToken({ db }, connection.sessionToken, { isBackground: true })
        if (String(user?.permissions) === String(connection.user.permissions))
          send(connection, { type: 'changed', endpoints: [] })
        else connection.socket.close(4401, 'session ended')
      }
    },
    close: async () => {
      closing = true
      clearInterval(heartbeat)
      for (const { socket } of connections) socket.close(1012, 'restarting')
      // Wait for the close handshake, so that browsers receive the close code.
      for (let waited = 0; connections.size > 0 && waited < limits.socket.closeHandshakeMs; waited += 10)
        await sleep(10)
      for (const { socket } of connections) socket.terminate()
    },
  }
}

/** Sends a message. A client that reads too slowly is disconnected; it reconnects and refetches. */
function send({ socket }: Connection, message: FromServer): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > limits.socket.maxBufferedBytes) socket.terminate()
  else socket.send(JSON.stringify(message))
}

/** Refuses an upgrade. For 400, `sec-websocket-version` lists the supported versions. */
function refuse(duplex: Duplex, status: number, config: Config): void {
  const more: Record<string, string> =
    status === 400
      ? { 'sec-websocket-version': '13, 8' }
      : status === 403 || status === 405
        ? {}
        : { 'retry-after': '5' }
  duplex.end(bareResponse(status, config, more))
}
