import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { ownHostsOf, type StreamRules } from '#server/outbound/stream-address.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { Reason } from '../../rules.ts'
import { endPlay } from '../plays/end-play.ts'
import { type LineToWatch, streamAddress } from '../plays/line-to-watch.ts'
import type { Opened } from '../plays/open-play.ts'
import type { PlayState } from '../plays/play-state.ts'
import { refuse } from '../plays/refuse.ts'
import { readPlaylist } from './read-playlist.ts'
import { relaySegment, type Segment } from './relay-segment.ts'
import { addressSealer, type StreamTarget } from './sealed-address.ts'
import { Traffic } from './traffic.ts'
import { StreamFailure } from './upstream-reason.ts'

export type RelayContext = { db: Db; config: Config; log: Pick<Logger, 'info' | 'warn'> }
type Play = { id: string; userId: number; generation: number; openedAt: string; line: LineToWatch; stream: string }
/** How long the addresses of a channel work after it was opened, in milliseconds. A play that ends also ends them. */
const addressesMs = 24 * 60 * 60_000
const endOf = ({ openedAt }: { openedAt: string }): number => Date.parse(openedAt) + addressesMs

/** Relays streams of the panel to viewers. Its state in memory may be lost: every process can serve every play. */
export class Relay {
  readonly #context: RelayContext
  readonly traffic: Traffic

  constructor(context: RelayContext) {
    this.#context = context
    this.traffic = new Traffic(context.db, context.log)
  }

  #rules({ base, userAgent }: LineToWatch): StreamRules {
    const { config } = this.#context
    return { base, userAgent, allowPrivate: config.panelAllowPrivate, ownHosts: ownHostsOf(config) }
  }

  /**
   * Asks the panel for the channel of a play that was just opened, and returns the address of its playlist on this site. The streams of its earlier
   * channel are closed first. If the panel refuses, the play ends; throws the refusal of its reason.
   */
  async start(opened: Opened, userId: number): Promise<string> {
    const { id, generation, line, stream, wasBusy } = opened
    const { config } = this.#context
    const endsAt = endOf(opened)
    this.traffic.retune(id, generation)
    const key = secretKey(config)
    try {
      const { url, text } = await readPlaylist(
        { url: streamAddress(line, stream), isFirst: true, wasBusy, mayBeMaster: true },
        this.#rules(line),
        { key, playId: id, generation, endsAt },
      )
      this.traffic.storeReady(id, generation, text)
      return addressSealer(key, id)({ kind: 'playlist', upstream: url.href, generation, endsAt })
    } catch (error) {
      if (!(error instanceof StreamFailure)) throw error
      await this.#end({ id, userId, generation }, error)
      return refuse(error.reason)
    }
  }

  /** The text of a playlist. Throws StreamFailure. When the panel refuses the address or no longer has it, the stream is requested once more from its original address. */
  async playlist(play: Play, { kind, upstream }: StreamTarget, signal: AbortSignal): Promise<string> {
    const { id, generation, line, stream } = play
    const ready = kind === 'playlist' ? this.traffic.takeReady(id, generation) : undefined
    if (ready !== undefined) return ready
    const traffic = this.traffic.of(id)
    const moved = traffic.moved?.generation === generation ? traffic.moved.url : undefined
    const rules = this.#rules(line)
    const addresses = { key: secretKey(this.#context.config), playId: id, generation, endsAt: endOf(play) }
    const call = { isFirst: false, mayBeMaster: kind === 'playlist', signal }
    const url = new URL((kind === 'playlist' && moved) || upstream)
    try {
      return (await readPlaylist({ ...call, url }, rules, addresses)).text
    } catch (error) {
      const isGone = error instanceof StreamFailure && /^HTTP (401|403|404|410)$/.test(error.detail)
      if (kind !== 'playlist' || !isGone) throw error
      const restarted = await readPlaylist(
        { ...call, isFirst: true, url: streamAddress(line, stream) },
        rules,
        addresses,
      )
      traffic.moved = { generation, url: restarted.url.href }
      return restarted.text
    }
  }

  /** A segment or key. Throws StreamFailure. */
  segment(
    play: Play,
    target: StreamTarget,
    range: string | undefined,
    running: { signal: AbortSignal; end: () => void },
  ): Promise<Segment> {
    const { kind, upstream } = target
    if (kind === 'playlist' || kind === 'media') throw new Error('A playlist is not relayed as a segment')
    return relaySegment(
      { url: new URL(upstream), range, kind, signal: running.signal, onEnd: running.end },
      this.#rules(play.line),
    )
  }

  /** Handles a failed request. Ends the play when the failure is permanent or there were too many. Returns the reason. */
  async fail(play: Pick<Play, 'id' | 'userId' | 'generation'>, failure: StreamFailure): Promise<Reason> {
    const isFinal = failure.reason === 'bad_stream' || failure.reason === 'protected' || failure.reason === 'refused'
    if (this.traffic.countFailure(play.id) || isFinal) await this.#end(play, failure)
    return failure.reason
  }

  /** Ends a play whose rights, session or line no longer permit it. */
  async end({ id, userId, generation }: Pick<PlayState, 'id' | 'userId' | 'generation'>, why: Reason): Promise<void> {
    this.traffic.stop(id)
    await endPlay(this.#context.db, { id, userId, generation }, why)
  }

  async #end(play: Pick<Play, 'id' | 'userId' | 'generation'>, { reason, detail }: StreamFailure): Promise<void> {
    this.#context.log.warn({ play: play.id, userId: play.userId, reason, detail }, 'stream failed')
    await this.end(play, reason)
  }
}

const relays = new WeakMap<Config, Relay>()
/** The relay of this process. */
export function relayOf(context: RelayContext): Relay {
  const known = relays.get(context.config) ?? new Relay(context)
  relays.set(context.config, known)
  return known
}
