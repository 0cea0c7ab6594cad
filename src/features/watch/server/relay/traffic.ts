import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Db } from '#server/db/connect.ts'
import { plays } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { type PlayState, readPlayState, readPlayStates } from '../plays/play-state.ts'
import { newPlayTraffic, type PlayTraffic } from './play-traffic.ts'

const readyMs = 5_000
const idleMs = 5 * 60_000
const { relay } = limits

/** The plays that this process serves: tracks their open requests, applies their limits, and stores when each was last seen. */
export class Traffic {
  readonly #maxRunning: number
  readonly #db: Db
  readonly #log: Pick<Logger, 'warn'>
  readonly #plays = new Map<string, PlayTraffic>()
  /** When each play was last active. Contains only plays that were active after the last write to the database. */
  readonly #seen = new Map<string, number>()
  #writtenAt = 0
  #timer: NodeJS.Timeout | undefined
  running = 0

  /** `maxRunning`: the maximum number of requests that may run at the same time. */
  constructor(db: Db, log: Pick<Logger, 'warn'>, maxRunning: number) {
    this.#maxRunning = maxRunning
    this.#db = db
    this.#log = log
  }

  of(id: string): PlayTraffic {
    let play = this.#plays.get(id)
    if (!play) {
      play = newPlayTraffic()
      this.#plays.set(id, play)
    }
    play.usedAt = Date.now()
    return play
  }

  /**
   * Returns the state of a play for a request of this generation, at most `relay.stateMs` old; undefined if the play does not exist. The state of a play that
   * ended or changed its channel is discarded within `relay.checkMs`.
   */
  async state(id: string, generation: number): Promise<PlayState | undefined> {
    const known = this.#plays.get(id)?.state
    if (known && known.until > Date.now() && known.value.generation === generation) return known.value
    const [value] = await readPlayState(this.#db, { id })
    if (value && value.endedAt === null) {
      this.of(id).state = { value, until: Date.now() + relay.stateMs }
      this.#schedule()
    }
    return value
  }

  /** Records the IP address of a viewer. Returns whether viewers in two networks share the play. */
  isShared(id: string, ip: string): boolean {
    return this.of(id).networks.isShared(ip, Date.now())
  }

  /** Begins a request. Returns its signal, a function that aborts it and a function that ends it, or the reason why it is refused. */
  begin(
    id: string,
    generation: number,
    isPlaylist: boolean,
  ): { signal: AbortSignal; abort: () => void; end: () => void } | 'too_fast' | 'relay_full' {
    if (this.running >= this.#maxRunning) return 'relay_full'
    const play = this.of(id)
    const now = Date.now()
    play.playlistsAt = play.playlistsAt.filter((at) => now - at < relay.playlistWindowMs)
    if (play.requests.size >= relay.atOnce || (isPlaylist && play.playlistsAt.length >= relay.playlists))
      return 'too_fast'
    if (isPlaylist) play.playlistsAt.push(now)
    const controller = new AbortController()
    play.requests.set(controller, generation)
    this.running++
    this.#seen.set(id, now)
    this.#schedule()
    const end = () => {
      if (play.requests.delete(controller)) this.running--
    }
    return { signal: controller.signal, abort: () => controller.abort(), end }
  }

  /** Records that the viewer of a play whose stream does not pass through this site is still watching. */
  recordAlive(id: string): void {
    this.#seen.set(id, Date.now())
    this.#schedule()
  }

  /**
   * Registers a stream that is opened or cut into segments here: the signal aborts when the play ends or changes its channel, immediately if it already did.
   * Call `end` when the stream is closed.
   */
  hold(id: string, generation: number): { signal: AbortSignal; end: () => void } {
    const { packaged, latest } = this.of(id)
    const controller = new AbortController()
    packaged.set(controller, generation)
    if (generation < latest) controller.abort()
    this.#schedule()
    return { signal: controller.signal, end: () => void packaged.delete(controller) }
  }

  /** Counts bytes that will be sent to a viewer. Returns how long to wait before sending them, in milliseconds, so that the play does not exceed its rate. */
  pace(id: string, bytes: number): number {
    const play = this.of(id)
    const now = Date.now()
    // A request whose response is not read does not show that the viewer is still watching.
    this.#seen.set(id, now)
    play.sentUntil = Math.max(play.sentUntil, now) + (bytes * 1000) / relay.bytesPerSecond
    return Math.max(0, play.sentUntil - now - relay.paceWindowMs)
  }

  /** Whether nginx may send a segment of a play as fast as the viewer reads it, without a rate limit. If so, counts the segment. */
  takeUnlimited(id: string): boolean {
    const play = this.of(id)
    const now = Date.now()
    play.unlimitedAt = play.unlimitedAt.filter((at) => now - at < relay.paceWindowMs)
    const mayTake = play.unlimitedAt.length < relay.unlimited
    if (mayTake) play.unlimitedAt.push(now)
    return mayTake
  }

  /** Counts a failed request of a play. Returns whether there were too many recently. */
  countFailure(id: string): boolean {
    const play = this.of(id)
    const now = Date.now()
    play.failedAt = [...play.failedAt.filter((at) => now - at < relay.failureWindowMs), now]
    return play.failedAt.length >= relay.failures
  }

  /**
   * Switches a play to another channel: stops the requests of earlier generations and resets its limit counters. Has no effect if the play was already
   * switched to a later channel.
   */
  retune(id: string, generation: number): void {
    const play = this.of(id)
    if (generation < play.latest) return
    this.stop(id, generation)
    const unused = { playlistsAt: [], failedAt: [], moved: undefined, ready: undefined, state: undefined }
    Object.assign(play, { ...unused, latest: generation })
  }

  /** Stops the requests of a play, or only those of generations before `generation`. */
  stop(id: string, generation = Number.POSITIVE_INFINITY): void {
    const play = this.#plays.get(id)
    if (play?.state && play.state.value.generation < generation) play.state = undefined
    for (const [controller, of] of [...(play?.requests ?? []), ...(play?.packaged ?? [])])
      if (of < generation) controller.abort()
  }

  /** Stores the playlist that was read when the play was opened, so that `takeReady` can return it. */
  storeReady(id: string, generation: number, text: string): void {
    this.of(id).ready = { generation, text, at: Date.now() }
  }

  /** Returns the playlist that `storeReady` stored, if it is less than five seconds old, and removes it; otherwise undefined. */
  takeReady(id: string, generation: number): string | undefined {
    const play = this.of(id)
    const { ready } = play
    play.ready = undefined
    return ready && ready.generation === generation && Date.now() - ready.at < readyMs ? ready.text : undefined
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#tick(), relay.checkMs).unref()
  }

  /** Stops the requests of plays that ended or changed their channel, forgets their states, and updates `seen_at` of the others. */
  async #tick(): Promise<void> {
    try {
      await this.checkNow()
    } catch (error) {
      this.#log.warn({ code: (error as { code?: string }).code }, 'plays could not be checked')
    }
    this.#timer = undefined
    const now = Date.now()
    for (const [id, play] of this.#plays)
      if (play.requests.size + play.packaged.size === 0 && now - play.usedAt > idleMs) this.#plays.delete(id)
    if (this.running > 0 || this.#seen.size > 0 || this.#isServing) this.#schedule()
  }

  get #isServing(): boolean {
    return [...this.#plays.values()].some(({ packaged, state }) => packaged.size > 0 || state !== undefined)
  }

  /** Reads again, in one statement, the states of plays in use that expire before the next check. */
  async #refreshStates(now: number): Promise<void> {
    const due = [...this.#plays].flatMap(([id, { state, usedAt }]) =>
      state && state.until - now < 2 * relay.checkMs && now - usedAt < 2 * relay.stateMs ? [id] : [],
    )
    if (due.length === 0) return
    for (const value of await readPlayStates(this.#db, { ids: due })) {
      const play = this.#plays.get(value.id)
      // Keeps the state unchanged if the play was stopped or changed its channel in this process while the states were read.
      if (play?.state?.value.generation === value.generation && value.endedAt === null)
        play.state = { value, until: now + relay.stateMs }
    }
  }

  async checkNow(): Promise<void> {
    const now = Date.now()
    for (const play of this.#plays.values()) if (play.state && play.state.until <= now) play.state = undefined
    const open = [...this.#plays]
      .filter(([, { requests, packaged, state }]) => requests.size + packaged.size > 0 || state !== undefined)
      .map(([id]) => id)
    const isDue = now - this.#writtenAt >= relay.seenMs
    const seen = isDue ? [...this.#seen] : []
    if (isDue) {
      this.#seen.clear()
      this.#writtenAt = now
    }
    if (seen.length > 0) {
      const [ids, ages] = [seen.map(([id]) => id), seen.map(([, at]) => now - at)]
      await this.#db.execute(sql`
        update plays p set seen_at = greatest(p.seen_at, now() - make_interval(secs => active.age / 1000.0))
        from unnest(${sql.param(ids)}::uuid[], ${sql.param(ages)}::int[]) active (id, age)
        where p.id = active.id and p.ended_at is null`)
    }
    await this.#refreshStates(now)
    if (open.length === 0) return
    const current = await this.#db
      .select({ id: plays.id, generation: plays.generation, endedAt: plays.endedAt })
      .from(plays)
      .where(sql`${plays.id} = any(${sql.param(open)}::uuid[])`)
    const byId = new Map(current.map((play) => [play.id, play]))
    for (const id of open) {
      const play = byId.get(id)
      this.stop(id, !play || play.endedAt !== null ? undefined : play.generation)
    }
  }
}
