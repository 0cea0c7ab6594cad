import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod/mini'
import { type FromServer, fromBrowser } from '#kit/live.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { bareAnswer } from '../http/bare-response.ts'
import { isSameOrigin } from '../http/origin.ts'
import { clientIp, hasOneHost, sessionTokenIn } from '../http/request.ts'
import { limits } from '../limits.ts'
import { Quota } from '../overload/quota.ts'
import { networkOf } from '../overload/rate-limit.ts'
import { type SessionUser, userOfToken } from '../session/session.ts'
import { Presence } from './presence.ts'

/** One open page. Identity comes from the upgrade's cookie alone (rule 14); the address lives in memory only. */
export type Connection = {
  socket: WebSocket
  user: SessionUser | null
  sessionToken: string | undefined
  ip: string
  userAgent: string
  /** The page it shows; `/ws` until it said so. */
  path: string
  /** What the tabs of a browser call themselves together; a name of its own for a line that does not say. */
  browser: string
  /** `Presence.traceOf` this line. */
  trace: string
  /** When somebody last did something with the page; that it is merely open does not count. */
  lastActive: number
}
type Guarded = Connection & { missedPongs: number; windowStart: number; messages: number }
type Options = { server: Server; config: Config; log: Logger; db: Db; presence?: Presence }
export type Audience = number | 'admins'

export type LiveSockets = {
  connections: ReadonlySet<Connection>
  tell: (audience: Audience, endpoints: string[]) => void
  /** Closes the sockets of a user whose sessions ended or whose role changed; they come back as who they are now. */
  endUser: (userId: number) => void
  /** After notifications may have been missed: ends the lines of ended sessions and lets the others ask for everything again. */
  resync: () => Promise<void>
  close: () => Promise<void>
}

/** Whether a request asks for the line of a page. An address is compared as it was sent: nothing in it may throw, or one request would end the process. */
export const wantsSocket = ({ url }: Pick<IncomingMessage, 'url'>): boolean => url?.split('?')[0] === '/ws'

/** The sockets at `/ws`; every other upgrade is left to whoever else listens (the development server's own). */
export function liveSockets({ server, config, log, db, presence = new Presence() }: Options): LiveSockets {
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
  const connections = presence.connections as Set<Guarded>
  /** What was told lately, for pages that were loaded before it and whose line opened after it. */
  let recent: { at: number; audience: Audience; endpoints: string[] }[] = []
  /** From then on nothing is missing there. A page may come from another process, and be older than this one. */
  let completeSince = performance.now()
  server.once('listening', () => {
    completeSince = performance.now()
  })
  let closing = false

  const ofAddress = new Quota(limits.socket.perIp * config.rateLimitFactor)
  const ofSession = new Quota(limits.socket.perSession * config.rateLimitFactor)
  /** Takes a place for as long as the connection stands, whether a line comes of it or not. */
  const hold = (places: Quota, name: string, duplex: Duplex): boolean => {
    if (duplex.closed || !places.take(name)) return false
    duplex.once('close', () => places.release(name))
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
          greet({
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
        log.warn({ message: error.message }, 'a socket could not be opened')
        refuse(duplex, 503, config)
      },
    )
  }

  async function admit(
    request: IncomingMessage,
    duplex: Duplex,
  ): Promise<Omit<Connection, 'socket' | 'lastActive'> | number> {
    const { headers } = request
    const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? null
    if (!hasOneHost(request)) return 400
    if (!headers.origin || !isSameOrigin(one(headers['sec-fetch-site']), headers.origin, headers.host ?? null, config))
      return 403
    if (closing || connections.size >= limits.socket.total) return 503
    const ip = clientIp(request.socket.remoteAddress, one(headers['x-forwarded-for']) ?? undefined, config.trustProxy)
    // Before the database is asked: who has too many lines asks nothing of it.
    if (!hold(ofAddress, networkOf(ip), duplex)) return 429
    const sessionToken = sessionTokenIn(headers.cookie, config)
    const user = await userOfToken({ db }, sessionToken, { isBackground: true })
    if (user && !hold(ofSession, sessionToken!, duplex)) return 429
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

  function greet(connection: Guarded): void {
    const { socket } = connection
    presence.opened(connection)
    socket.on('message', (data, isBinary) => (isBinary ? socket.close(1003) : hear(connection, String(data))))
    socket.on('pong', () => void Object.assign(connection, { missedPongs: 0 }))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => presence.closed(connection))
    send(connection, { type: 'ping' })
  }

  function hear(connection: Guarded, text: string): void {
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
      const honest =
        user !== null && (message.userId === undefined || message.userId === null || message.userId === user.id)
      if (!honest && message.userId)
        log.warn({ claimed: message.userId, session: user?.id ?? null }, 'a socket claimed to be someone else')
      send(connection, { type: 'auth', ok: honest })
      if (honest && message.loadedMsAgo !== undefined) catchUp(connection, now - message.loadedMsAgo)
    }
  }

  function catchUp(connection: Guarded, since: number): void {
    if (since < Math.max(completeSince, performance.now() - limits.socket.recentMs))
      send(connection, { type: 'changed', endpoints: [] })
    else
      for (const { at, audience, endpoints } of recent)
        if (at >= since && isFor(connection, audience)) send(connection, { type: 'changed', endpoints })
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
    tell: (audience, endpoints) => {
      recent.push({ at: performance.now(), audience, endpoints })
      if (recent.length > 2 * limits.socket.recentMost) {
        recent = recent.slice(-limits.socket.recentMost)
        completeSince = recent[0]!.at
      }
      for (const connection of connections)
        if (isFor(connection, audience)) send(connection, { type: 'changed', endpoints })
    },
    endUser: (userId) => {
      for (const { user, socket } of connections) if (user?.id === userId) socket.close(4401, 'session ended')
    },
    resync: async () => {
      completeSince = performance.now()
      for (const connection of connections) {
        if (!connection.user) continue
        const user = await userOfToken({ db }, connection.sessionToken, { isBackground: true })
        if (user?.role === connection.user.role) send(connection, { type: 'changed', endpoints: [] })
        else connection.socket.close(4401, 'session ended')
      }
    },
    close: async () => {
      closing = true
      clearInterval(heartbeat)
      for (const { socket } of connections) socket.close(1012, 'restarting')
      // Cut too early, a browser would not hear why.
      for (let waited = 0; connections.size > 0 && waited < limits.socket.farewellMs; waited += 10) await sleep(10)
      for (const { socket } of connections) socket.terminate()
    },
  }
}

const isFor = ({ user }: Connection, audience: Audience): boolean =>
  audience === 'admins' ? user?.role === 'admin' : user?.id === audience

/** A reader too slow to take what it is sent is let go; it comes back and reads the truth. */
function send({ socket }: Connection, message: FromServer): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > limits.socket.maxBufferedBytes) socket.terminate()
  else socket.send(JSON.stringify(message))
}

/** `400`: whatever is wrong with a handshake, its sender learns which version is spoken here. */
function refuse(duplex: Duplex, status: number, config: Config): void {
  const more: Record<string, string> =
    status === 400
      ? { 'sec-websocket-version': '13, 8' }
      : status === 403 || status === 405
        ? {}
        : { 'retry-after': '5' }
  duplex.end(bareAnswer(status, config, more))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
