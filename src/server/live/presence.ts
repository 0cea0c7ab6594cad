import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { limits } from '../limits.ts'
import type { Connection } from './socket.ts'

/** The latest page that somebody asked for whose browser has no line open. */
export type PageRequest = { ip: string; userAgent: string; path: string; sessionToken: string | undefined; at: number }

/**
 * Who has pages of this process open and who asked for one lately. In memory only and bounded: an open page is gone when its
 * line closes, a page request when its browser opens a line or after five minutes.
 */
export class Presence {
  readonly processId = randomUUID()
  readonly connections = new Set<Connection>()
  /** By the browser's name, then by address: putting both into one key would cost more than all the rest. */
  readonly #requests = new Map<string, Map<string, PageRequest>>()
  #kept = 0
  readonly #left = new Map<string, number>()
  readonly #key: Buffer
  #changed: () => void = () => {}

  /** Processes that share a key give the same name to the same browser. */
  constructor(key: Buffer = randomBytes(32)) {
    this.#key = createHmac('sha256', key).update('presence').digest()
  }

  /** Calls `listener` whenever somebody comes, goes on to another page, or leaves. */
  onChange(listener: () => void): void {
    this.#changed = listener
  }

  /** A name for a text that tells nothing of it. */
  nameOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 16)
  }

  /** The name of whoever comes by this address with this browser. */
  traceOf({ ip, userAgent }: { ip: string; userAgent: string }): string {
    return this.nameOf(`${ip}\n${userAgent}`)
  }

  /** A line opened: what its browser asked for before is no longer kept. */
  opened(connection: Connection): void {
    this.connections.add(connection)
    this.#forget(connection)
    this.#changed()
  }

  /** The page of an open line changed. */
  moved(): void {
    this.#changed()
  }

  /** A line closed. Where the page came from another process, only the browser's name can tell that process that it left. */
  closed(connection: Connection): void {
    if (!this.connections.delete(connection)) return
    this.#left.delete(connection.trace)
    this.#left.set(connection.trace, Date.now())
    if (this.#left.size > limits.presence.most) this.#left.delete(this.#left.keys().next().value as string)
    this.#changed()
  }

  /** A page was sent. On the path of every public page: no digest, no write, no promise. */
  askedForPage(ip: string, userAgent: string, page: string, sessionToken?: string): void {
    const path = page.slice(0, limits.presence.textLength)
    const at = Date.now()
    const known = this.#requests.get(userAgent)?.get(ip)
    // The same page again and again, as under load, costs two look-ups.
    if (known?.path === path && at - known.at < limits.presence.repeatMs) return
    if (known) this.#forget(known)
    const sameBrowser = this.#requests.get(userAgent) ?? new Map<string, PageRequest>()
    this.#requests.set(userAgent, sameBrowser)
    sameBrowser.set(ip, { ip, userAgent, path, sessionToken, at })
    this.#kept++
    if (this.#kept > limits.presence.most) this.#forget(firstOf(firstOf(this.#requests)))
    this.#changed()
  }

  /** Page requests of the last five minutes by browsers that have opened no line here since. */
  get requests(): PageRequest[] {
    this.forgetOld()
    return [...this.#requests.values()].flatMap((sameBrowser) => [...sameBrowser.values()])
  }

  /** The browsers whose line closed within the last five minutes: name and moment. */
  get left(): [trace: string, at: number][] {
    this.forgetOld()
    return [...this.#left]
  }

  /** Drops what is older than five minutes; to be called every now and then, so that nobody is remembered longer. */
  forgetOld(): void {
    const since = Date.now() - limits.presence.requestMs
    for (const sameBrowser of this.#requests.values())
      for (const request of sameBrowser.values()) if (request.at < since) this.#forget(request)
    for (const [trace, at] of this.#left) if (at < since) this.#left.delete(trace)
  }

  #forget({ ip, userAgent }: { ip: string; userAgent: string }): void {
    const sameBrowser = this.#requests.get(userAgent)
    if (!sameBrowser?.delete(ip)) return
    this.#kept--
    if (sameBrowser.size === 0) this.#requests.delete(userAgent)
  }
}

const firstOf = <T>(map: Map<string, T>): T => map.values().next().value as T
