import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { plays } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { offerDirect, siteOrigin } from '../direct/offer-direct.ts'
import { countStart } from '../plays/count-openings.ts'
import type { PlayToStart } from '../plays/open-play.ts'
import { refuse } from '../plays/refuse.ts'
import { closeStreams } from './close-streams.ts'
import type { Play, RelayContext } from './play.ts'
import { rewrittenPlaylist } from './read-playlist.ts'
import { relayOf } from './relay.ts'
import { addressSealer } from './sealed-address.ts'
import { storeOverLimit } from './sources/stream-panel.ts'
import { clearRelay } from './store-relay.ts'
import { StreamFailure } from './upstream-reason.ts'
import { warnOf } from './warn-of.ts'

/**
 * A stream that was started. `startsAt`: for a recording, when its first picture was broadcast, in milliseconds. `isSure`: false if that time may be an hour
 * off. `direct`: the address on the panel from which the page may load the stream directly. `isOvertaken`: the stream was not started, because the viewer
 * changed to another channel.
 */
export type StartedStream = {
  address: string
  direct?: string | null
  startsAt: number | null
  isSure: boolean
  isOvertaken?: boolean
}
/** The results of opening the play that are needed to start its stream. */
type Call = Pick<
  PlayToStart,
  'wasBusy' | 'sinceLastMs' | 'closing' | 'prefersTransport' | 'showsOverLimit' | 'directHosts'
>

/** The target of a sealed address for a packaged stream, which has no address on the panel. */
const packagedTarget = 'packaged'

/**
 * Asks the panel for the channel of a play that was just opened, and returns the address of its playlist on this site. The streams of its earlier channel are
 * closed first. Of several quick channel changes, only the last channel is requested from the panel; the other calls return addresses that do not work, like
 * those of earlier channels. If the panel refuses, ends the play and throws the refusal with its reason.
 */
export async function startStream(context: RelayContext, play: Play, opened: Call): Promise<StartedStream> {
  const { traffic } = relayOf(context)
  const { sinceLastMs } = opened
  const counts = traffic.of(play.id)
  counts.quickChanges = sinceLastMs !== null && sinceLastMs < limits.relay.quickMs ? counts.quickChanges + 1 : 0
  traffic.retune(play.id, play.generation)
  const opening = traffic.hold(play.id, play.generation)
  try {
    const started = await countStart(context.config, play, () => start(context, play, opened, opening.signal))
    return started ?? { address: packagedAddress(context, play), startsAt: null, isSure: true, isOvertaken: true }
  } finally {
    opening.end()
  }
}

/** Starts the stream. Returns undefined if the play has changed its channel again or ended; then `signal` is aborted. */
async function start(
  context: RelayContext,
  play: Play,
  { wasBusy, closing, showsOverLimit, directHosts: hosts, ...call }: Call,
  signal: AbortSignal,
): Promise<StartedStream | undefined> {
  const { id, generation, line } = play
  const relay = relayOf(context)
  // Closes the streams even if a later channel change has overtaken this one, because the later change does not find them.
  await closeStreams(context, relay.traffic, closing, play)
  const { quickChanges } = relay.traffic.of(id)
  if (quickChanges > 0 && !(await isStillLatest(context, play, signal, quickChanges))) return undefined
  // Without memory for segments, HLS is requested.
  const prefersTransport = call.prefersTransport && relay.packaged.slotsLeft > 0
  try {
    const opened = await relay.open(play, {
      wasBusy,
      prefersTransport,
      ...(hosts.length > 0 && { origin: siteOrigin(context) }),
      signal,
    })
    const { source, recording, isSure } = opened
    if (signal.aborted) {
      if (source.kind === 'transport') source.close()
      return undefined
    }
    if (showsOverLimit)
      storeOverLimit(context.db, line, showsOverLimit).catch(
        warnOf(context.log, 'what a panel does with full lines could not be stored'),
      )
    if (source.kind === 'transport') {
      await offerDirect(context, play, source, { hosts, signal })
      if (context.config.streamUrls.length <= 1) relay.package(play, { ...opened, source })
      else {
        // With several hosts, the host in the address cuts the stream, not necessarily this process.
        source.close()
        await clearRelay(context, play)
      }
      const address = packagedAddress(context, play)
      return { address, startsAt: recording ? recording.startsAt + recording.skipMs : null, isSure }
    }
    await clearRelay(context, play)
    const addresses = relay.addressesOf(play)
    const text = rewrittenPlaylist(source, { mayBeMaster: true, rules: relay.rulesOf(line), play: addresses })
    relay.traffic.storeReady(id, generation, text)
    const target = { kind: 'playlist', upstream: source.url.href, generation, endsAt: addresses.endsAt } as const
    const address = addressSealer(addresses.key, id)(target)
    const direct = await offerDirect(context, play, source, { hosts, signal })
    return signal.aborted ? undefined : { address, direct, startsAt: recording?.startsAt ?? null, isSure }
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error
    if (signal.aborted) return undefined
    await clearRelay(context, play)
    await relay.endFailed(play, error)
    return refuse(error.reason)
  }
}

/**
 * Waits for `limits.relay.holdMs`, longer after several quick changes. Returns false if the play changes its channel again or ends in the meantime, in this
 * process or another one.
 */
async function isStillLatest(
  { db }: RelayContext,
  { id, generation }: Pick<Play, 'id' | 'generation'>,
  signal: AbortSignal,
  quickChanges: number,
): Promise<boolean> {
  const { holdMs, maxHoldFactor } = limits.relay
  await sleep(holdMs * Math.min(quickChanges, maxHoldFactor), undefined, { signal }).catch(() => undefined)
  if (signal.aborted) return false
  const [now] = await db
    .select({ generation: plays.generation, endedAt: plays.endedAt })
    .from(plays)
    .where(eq(plays.id, id))
  return now?.generation === generation && now.endedAt === null
}

/** Returns the address of the playlist of a stream that is cut into segments. */
function packagedAddress(context: RelayContext, play: Play): string {
  const { key, playId, generation, endsAt } = relayOf(context).addressesOf(play)
  return addressSealer(key, playId)({ kind: 'packaged', upstream: packagedTarget, generation, endsAt })
}
