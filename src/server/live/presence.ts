import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { limits } from '../limits.ts'
import type { Connection } from './connection.ts'

/** The latest page request of a browser that has no socket open. */
export type PageRequest = { ip: string; userAgent: string; path: string; sessionToken: string | undefined; at: number }

/**
 * The visitors of this process: open pages (sockets) and recent page requests. They are kept only in memory, and their number is limited. A page
 * request is removed when its browser opens a socket, or after five minutes.
 */
export class Presence {
  readonly processId = randomUUID()
  readonly connections = new Set<Connection>()
  /** By user agent, then by IP address: concatenating both into one key would cost more than the rest of the work. */
  readonly #requests = new Map<string, Map<string, PageRequest>>()
  #requestCount = 0
  readonly #closed = new Map<string, number>()
  readonly #key: Buffer
  #notifyListener: () => void = () => {}

  /** Processes with the same key compute the same pseudonyms. */
  constructor(key: Buffer = randomBytes(32)) {
    this.#key = createHmac('sha256', key).update('presence').digest()
  }

  /** Calls `listener` whenever a visitor arrives, changes page or leaves. */
  onChange(listener: () => void): void {
    this.#notifyListener = listener
  }

  /** Returns a pseudonym for a string: an HMAC that does not reveal the string. */
  pseudonymOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 16)
  }

  /** Returns the pseudonym of a visitor, which is derived from IP address and user agent. */
  traceOf({ ip, userAgent }: { ip: string; userAgent: string }): string {
    return this.pseudonymOf(`${ip}\n${userAgent}`)
  }

  /** Adds an opened socket and removes the page request of its browser. */
  opened(connection: Connection): void {
    this.connections.add(connection)
    this.#removeRequest(connection)
    this.#notifyListener()
  }

  /** Reports that the page of an open socket changed. */
  moved(): void {
    this.#notifyListener()
  }

  /** Removes a closed socket and keeps its pseudonym, because the page request may be recorded in another process. */
  closed(connection: Connection): void {
    if (!this.connections.delete(connection)) return
    this.#closed.delete(connection.trace)
    this.#closed.set(connection.trace, Date.now())
    if (this.#closed.size > limits.presence.maxEntries) this.#closed.delete(this.#closed.keys().next().value as string)
    this.#notifyListener()
  }

  /** Records a page request. Called for every public page, so it computes no digest and awaits nothing. */
  recordPageRequest(ip: string, userAgent: string, page: string, sessionToken?: string): void {
    const path = page.slice(0, limits.presence.textLength)
    const at = Date.now()
    const known = this.#requests.get(userAgent)?.get(ip)
    // A repeated request for the same page, as under load, costs two lookups only.
    if (known?.path === path && at - known.at < limits.presence.repeatMs) return
    if (known) this.#removeRequest(known)
    const sameBrowser = this.#requests.get(userAgent) ?? new Map<string, PageRequest>()
    this.#requests.set(userAgent, sameBrowser)
    sameBrowser.set(ip, { ip, userAgent, path, sessionToken, at })
    this.#requestCount++
    if (this.#requestCount > limits.presence.maxEntries) this.#removeRequest(firstOf(firstOf(this.#requests)))
    this.#notifyListener()
  }

  /** The page requests of the last five minutes by browsers without a socket in this process. */
  get requests(): PageRequest[] {
    this.removeExpired()
    return [...this.#requests.values()].flatMap((sameBrowser) => [...sameBrowser.values()])
  }

  /** The visitors whose socket closed within the last five minutes: pseudonym and time. */
  get recentlyClosed(): [trace: string, at: number][] {
    this.removeExpired()
    return [...this.#closed]
  }

  /** Removes everything older than five minutes. Must be called regularly. */
  removeExpired(): void {
    const since = Date.now() - limits.presence.requestMs
    for (const sameBrowser of this.#requests.values())
      for (const request of sameBrowser.values()) if (request.at < since) this.#removeRequest(request)
    for (const [trace, at] of this.#closed) if (at < since) this.#closed.delete(trace)
  }

  #removeRequest({ ip, userAgent }: { ip: string; userAgent: string }): void {
    const sameBrowser = this.#requests.get(userAgent)
    if (!sameBrowser?.delete(ip)) return
    this.#requestCount--
    if (sameBrowser.size === 0) this.#requests.delete(userAgent)
  }
}

const firstOf = <T>(map: Map<string, T>): T => map.values().next().value as T
