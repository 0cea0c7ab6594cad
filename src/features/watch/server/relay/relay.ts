import type { Config } from '#server/config.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { Reason } from '../../rules.ts'
import { endPlay } from '../plays/end-play.ts'
import { type LineToWatch, streamAddress } from '../plays/line-to-watch.ts'
import type { PlayState } from '../plays/play-state.ts'
import { offloadSegment } from './offload-segment.ts'
import type { TransportSource } from './open-source.ts'
import { PackagedStreams } from './packager/packaged-streams.ts'
import type { Packager } from './packager/packager.ts'
import { TransportCutter } from './packager/transport-cutter.ts'
import type { Codecs } from './packager/transport-tables.ts'
import type { Play, RelayContext } from './play.ts'
import { readPlaylist } from './read-playlist.ts'
import { relaySegment, type Segment } from './relay-segment.ts'
import { addressSealer, type StreamTarget } from './sealed-address.ts'
import { learnStream } from './sources/learn-stream.ts'
import { openArchive } from './sources/open-archive.ts'
import { openLive } from './sources/open-live.ts'
import { streamRulesOf } from './stream-rules.ts'
import { Traffic } from './traffic.ts'
import { StreamFailure } from './upstream-reason.ts'
import { warnOf } from './warn-of.ts'

type OpenedSource = Awaited<ReturnType<Relay['open']>>
type OpenCall = { wasBusy?: boolean; prefersTransport?: boolean; origin?: string | undefined; signal?: AbortSignal }

/** How long the addresses of a channel work after it was opened, in milliseconds. They also stop working when the play ends. */
const addressesMs = 24 * 60 * 60_000
/** Returns when the addresses of a play expire, in milliseconds. */
const endOf = ({ openedAt }: { openedAt: string }): number => Date.parse(openedAt) + addressesMs

/** Relays streams from the panel to viewers. Every process can serve every play; a stream that is cut into segments belongs to one process. */
export class Relay {
  readonly #context: RelayContext
  readonly traffic: Traffic
  readonly packaged: PackagedStreams
  readonly #learned = new Set<number>()
  readonly #notLearned: (error: unknown) => void
  readonly #notEnded: (error: unknown) => void

  constructor(context: RelayContext) {
    this.#context = context
    this.#notLearned = warnOf(context.log, 'what a stream contains could not be stored')
    this.#notEnded = warnOf(context.log, 'why a play ended could not be stored')
    this.traffic = new Traffic(context.db, context.log, context.config.streamMost)
    this.packaged = new PackagedStreams(this.traffic, context.config.streamMemory)
  }

  rulesOf(line: LineToWatch): StreamRules {
    return streamRulesOf(this.#context.config, line)
  }

  addressesOf(play: Pick<Play, 'id' | 'generation' | 'openedAt'>) {
    const { id, generation } = play
    return { key: secretKey(this.#context.config), playId: id, generation, endsAt: endOf(play) }
  }

  /** Opens the stream of a play on the panel. `prefersTransport`: the transport stream is requested first, even if the panel has HLS. Throws StreamFailure. */
  async open(play: Play, { prefersTransport = false, ...call }: OpenCall = {}) {
    const { line, stream, isTransport, channelId, recording } = play
    const { db } = this.#context
    const rules = this.rulesOf(line)
    if (recording === null) {
      const source = await openLive(line, { stream, isTransport: isTransport || prefersTransport }, rules, call)
      const isNow = source.kind === 'transport'
      // If the transport stream was requested first, its success does not show that the panel has no HLS.
      if (isNow !== isTransport && !(isNow && prefersTransport))
        await learnStream(db, channelId, { isTransport: isNow })
      return { source, recording: undefined, isSure: true }
    }
    const { source, startsAt, skipMs, isSure } = await openArchive(db, line, { ...recording, stream }, rules, call)
    return { source, recording: { startsAt, skipMs, endsAt: recording.to }, isSure }
  }

  /** Cuts a transport stream into segments in this process. The row of the play must already name this process. Throws StreamFailure. */
  package(play: Play, { source, recording }: OpenedSource & { source: TransportSource }): Packager {
    const { id, generation, channelId } = play
    const { db } = this.#context
    return this.packaged.start(id, generation, {
      source,
      recording,
      reopen: async (at) => {
        const again = await this.open(
          { ...play, recording: play.recording && { ...play.recording, at } },
          { prefersTransport: true },
        )
        if (again.source.kind === 'transport') return { source: again.source, recording: again.recording }
        throw new StreamFailure('channel_down', 'no transport stream')
      },
      onCodecs: (codecs) => void learnStream(db, channelId, { codecs }).catch(this.#notLearned),
      onFailure: (failure) => void this.endFailed(play, failure).catch(this.#notEnded),
    })
  }

  /** Returns the playlist of a stream that this process cuts into segments. Throws StreamFailure. */
  packagedPlaylist(play: Pick<Play, 'id' | 'generation' | 'openedAt'>, packager: Packager, signal: AbortSignal) {
    const { key, endsAt } = this.addressesOf(play)
    const seal = addressSealer(key, play.id)
    const { generation } = play
    return packager.playlist(
      (sequence) => seal({ kind: 'part', upstream: String(sequence), generation, endsAt }),
      signal,
    )
  }

  /**
   * Returns the text of a playlist. If the panel refuses its address or no longer has it, the stream is requested once more from its original address. Throws
   * StreamFailure.
   */
  async playlist(play: Play, { kind, upstream }: StreamTarget, signal: AbortSignal): Promise<string> {
    const { id, generation, line, stream, recording } = play
    const ready = kind === 'playlist' ? this.traffic.takeReady(id, generation) : undefined
    if (ready !== undefined) return ready
    const traffic = this.traffic.of(id)
    const moved = traffic.moved?.generation === generation ? traffic.moved.url : undefined
    const rules = this.rulesOf(line)
    const addresses = this.addressesOf(play)
    const call = { isFirst: false, mayBeMaster: kind === 'playlist', signal }
    const url = new URL((kind === 'playlist' && moved) || upstream)
    try {
      return (await readPlaylist({ ...call, url }, rules, addresses)).text
    } catch (error) {
      const isGone = error instanceof StreamFailure && /^HTTP (401|403|404|410)$/.test(error.detail)
      if (kind !== 'playlist' || !isGone || recording !== null) throw error
      const restarted = await readPlaylist(
        { ...call, isFirst: true, url: streamAddress(line, stream) },
        rules,
        addresses,
      )
      traffic.moved = { generation, url: restarted.url.href }
      return restarted.text
    }
  }

  /** Returns the headers that let nginx fetch a segment; undefined if this process relays the segment. Throws StreamFailure. */
  offload(
    play: Pick<Play, 'id' | 'line'>,
    { kind, upstream }: StreamTarget,
    signal: AbortSignal,
  ): Promise<Record<string, string>> | undefined {
    if (this.#context.config.streamOffload !== 'nginx' || (kind !== 'segment' && kind !== 'cipher')) return undefined
    const isUnlimited = this.traffic.takeUnlimited(play.id)
    const segment = { playId: play.id, upstream: new URL(upstream), kind, isUnlimited, signal }
    return offloadSegment(segment, this.rulesOf(play.line))
  }

  /** Returns a segment or key. Throws StreamFailure. */
  segment(
    play: Pick<Play, 'id' | 'userId' | 'generation' | 'line' | 'channelId'>,
    target: StreamTarget,
    range: string | undefined,
    running: { signal: AbortSignal; end: () => void },
  ): Promise<Segment> {
    const { kind, upstream } = target
    if (kind !== 'segment' && kind !== 'cipher' && kind !== 'key') throw new Error('Only segments are relayed')
    return relaySegment(
      {
        url: new URL(upstream),
        range,
        kind,
        signal: running.signal,
        onEnd: running.end,
        onFailure: (failure) => void this.fail(play, failure).catch(this.#notEnded),
        onTransport: (head) => this.#learnCodecs(play.channelId, head),
        pace: (bytes) => this.traffic.pace(play.id, bytes),
      },
      this.rulesOf(play.line),
    )
  }

  /** Stores the codecs of a channel, at most once per process. */
  #learnCodecs(channelId: number, head: Buffer): void {
    if (this.#learned.has(channelId)) return
    const onCodecs = (codecs: Codecs) => {
      this.#learned.add(channelId)
      void learnStream(this.#context.db, channelId, { codecs }).catch(this.#notLearned)
    }
    new TransportCutter({ onCodecs, onSegment: () => {}, seconds: 60, mostBytes: head.length }).push(head)
  }

  /** Handles a failed request: ends the play if the failure is permanent or there were too many. Returns the reason. */
  async fail(play: Pick<Play, 'id' | 'userId' | 'generation'>, failure: StreamFailure): Promise<Reason> {
    // Neither the channel nor the panel is at fault, and the player tries again.
    if (failure.reason === 'relay_full') return failure.reason
    const isFinal = failure.reason === 'bad_stream' || failure.reason === 'protected' || failure.reason === 'refused'
    if (this.traffic.countFailure(play.id) || isFinal) await this.endFailed(play, failure)
    return failure.reason
  }

  /** Ends a play with this reason, for example because its rights, session or line no longer permit it. */
  async end({ id, userId, generation }: Pick<PlayState, 'id' | 'userId' | 'generation'>, why: Reason): Promise<void> {
    this.traffic.stop(id)
    await endPlay(this.#context.db, { id, userId, generation }, why)
  }

  /** Ends a play whose stream failed. */
  async endFailed(play: Pick<Play, 'id' | 'userId' | 'generation'>, { reason, detail }: StreamFailure): Promise<void> {
    this.#context.log.warn({ play: play.id, userId: play.userId, reason, detail }, 'stream failed')
    await this.end(play, reason)
  }
}

const relays = new WeakMap<Config, Relay>()
/** Returns the relay of this process. */
export function relayOf(context: RelayContext): Relay {
  const known = relays.get(context.config) ?? new Relay(context)
  relays.set(context.config, known)
  return known
}
