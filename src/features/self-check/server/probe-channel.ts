import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { directOutcome, siteOrigin } from '#features/watch/server/direct/offer-direct.ts'
import type { LineToWatch } from '#features/watch/server/plays/line-to-watch.ts'
import { mediaTypeOf } from '#features/watch/server/relay/media-type.ts'
import { readPlaylist, rewrittenPlaylist } from '#features/watch/server/relay/read-playlist.ts'
import { openAddress } from '#features/watch/server/relay/sealed-address.ts'
import { openLive } from '#features/watch/server/relay/sources/open-live.ts'
import { streamRulesOf } from '#features/watch/server/relay/stream-rules.ts'
import { StreamFailure, statusFailure, streamFailureOf } from '#features/watch/server/relay/upstream-reason.ts'
import type { Config } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import { openStream } from '#server/outbound/open-stream.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { ServerFacts } from '../contract.ts'

type Probe = ServerFacts['probe']
/** The stream of a channel on the panel. `isTransport`: whether it was last played as a transport stream instead of HLS. */
type Stream = { stream: string; isTransport: boolean }
/** The result of probing a channel. `segments`: the URLs of its newest segments, if pages may load the channel directly from its host; otherwise empty. */
export type ProbeOutcome = { probe: Probe; segments: URL[] }
export const notProbed: ProbeOutcome = {
  probe: { result: 'skipped', detail: null, ms: null, kbps: null, codecs: null },
  segments: [],
}
/** The maximum number of segments that a page may load to measure their host. */
const maxSegments = 3
/** Matches the details of failures without any response. */
const noAnswer = /^(timeout|aborted|EAI_|ENOTFOUND|EHOST|ENET|ETIMEDOUT)/

/**
 * Reads the playlist of a channel on the customer's line and the beginning of its newest segment. If the channel seems dead, tries a second time. Uses a
 * connection of the line while it runs. `hosts`: the hosts from which pages may load streams directly; empty while direct delivery is off. Takes about
 * `limits.selfCheck.probeMs` milliseconds at most, and does not throw if the panel fails.
 */
export async function probeChannel(
  config: Config,
  line: LineToWatch,
  { hosts, ...stream }: Stream & { hosts: readonly string[] },
): Promise<ProbeOutcome> {
  const call = { config, line, stream, hosts, signal: AbortSignal.timeout(limits.selfCheck.probeMs) }
  const first = await probeOnce(call)
  if (first.probe.result !== 'dead') return first
  await setTimeout(limits.selfCheck.repeatMs)
  const second = await probeOnce(call)
  return second.probe.result === 'no_answer' ? first : second
}

async function probeOnce(input: ProbeInput): Promise<ProbeOutcome> {
  const start = performance.now()
  const found: StreamProperties = { kbps: null, codecs: null }
  const ms = () => Math.round(performance.now() - start)
  try {
    const segments = await readBeginning(input, found)
    return { probe: { result: 'alive', detail: null, ms: ms(), ...found }, segments }
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error
    const { reason, detail } = error
    const isSilent = input.signal.aborted || reason === 'panel_down' || noAnswer.test(detail)
    return { probe: { ...found, ms: ms(), detail, result: isSilent ? 'no_answer' : resultOf(reason) }, segments: [] }
  }
}

const resultOf = (reason: string): Probe['result'] =>
  reason === 'too_many'
    ? 'too_many'
    : reason === 'refused'
      ? 'refused'
      : reason === 'bad_stream' || reason === 'protected'
        ? 'not_playable'
        : 'dead'

type StreamProperties = Pick<Probe, 'kbps' | 'codecs'>
type ProbeInput = {
  config: Config
  line: LineToWatch
  stream: Stream
  hosts: readonly string[]
  signal: AbortSignal
}
/** Returns the URLs of the newest segments if pages may load them, otherwise an empty list. Stores the bit rate and the codecs in `found`. */
async function readBeginning(
  { config, line, stream, hosts, signal }: ProbeInput,
  found: StreamProperties,
): Promise<URL[]> {
  const rules = streamRulesOf(config, line)
  const key = secretKey(config)
  const playId = randomUUID()
  const addresses = { key, playId, generation: 1, endsAt: Date.now() + 60_000 }
  const openSealed = (path: string) => {
    const target = openAddress(key, playId, path.split('/').at(-1)!, Date.now())
    if (!target) throw new StreamFailure('bad_stream', 'address')
    return { url: new URL(target.upstream), isEncrypted: target.kind === 'cipher' }
  }
  const source = await openLive(line, stream, rules, {
    signal,
    ...(hosts.length > 0 && { origin: siteOrigin({ config }) }),
  })
  if (source.kind === 'transport') {
    source.close()
    return []
  }
  let text = rewrittenPlaylist(source, { mayBeMaster: true, rules, play: addresses })
  if (text.includes('#EXT-X-STREAM-INF:')) {
    // Read the variant with the lowest bit rate: a connection that is too slow for this one can play no variant.
    const variants = [...text.matchAll(/#EXT-X-STREAM-INF:(.*)\n(\/stream\/\S+)/g)].map(([, attributes, path]) => ({
      path: path!,
      bandwidth: Number(/(?:^|,)BANDWIDTH=(\d+)/.exec(attributes!)?.[1] ?? 0),
      codecs: /CODECS="([^"]+)"/.exec(attributes!)?.[1] ?? null,
    }))
    const [lowest] = variants.sort((a, b) => a.bandwidth - b.bandwidth)
    if (!lowest) throw new StreamFailure('bad_stream', 'playlist')
    found.kbps = kbpsOf(lowest.bandwidth)
    found.codecs = lowest.codecs
    const { url } = openSealed(lowest.path)
    text = (await readPlaylist({ url, isFirst: false, mayBeMaster: false, signal }, rules, addresses)).text
  }
  const newest = [...text.matchAll(/#EXTINF:([\d.]+),\n(?:#\S+\n)*(\/stream\/\S+)/g)].slice(-maxSegments)
  const [, seconds = '0', path] = newest.at(-1) ?? []
  if (!path) throw new StreamFailure('channel_down', 'no segments')
  const length = await readSegment({ ...openSealed(path), signal }, rules)
  if (found.kbps === null && length !== null && Number(seconds) > 0) found.kbps = kbpsOf((length * 8) / Number(seconds))
  const mayLoad = hosts.length > 0 && (await directOutcome({ config }, line, source, { hosts, signal })) === 'direct'
  return mayLoad ? newest.map(([, , each]) => openSealed(each!).url) : []
}

const kbpsOf = (bitsPerSecond: number): number | null =>
  bitsPerSecond > 0 ? Math.min(1_000_000, Math.round(bitsPerSecond / 1000)) : null

/** Reads the beginning of a segment and closes the response. Returns the length of the segment in bytes; null if no header states it. */
async function readSegment(
  { url, isEncrypted, signal }: { url: URL; isEncrypted: boolean; signal: AbortSignal },
  rules: StreamRules,
): Promise<number | null> {
  let close = () => {}
  try {
    const response = await openStream({ url, firstByteMs: limits.selfCheck.probeMs, signal }, rules)
    close = response.close
    const refused = statusFailure(response.status)
    if (refused) throw refused.reason === 'refused' ? new StreamFailure('channel_down', refused.detail) : refused
    const chunks: Buffer[] = []
    let read = 0
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      read += chunk.length
      if (read >= limits.selfCheck.probeBytes) break
    }
    if (read === 0 || !(isEncrypted || mediaTypeOf(Buffer.concat(chunks))))
      throw new StreamFailure('channel_down', 'no media')
    const length = Number(response.headers['content-length'])
    return Number.isFinite(length) && length > 0 ? length : null
  } catch (error) {
    if (signal.aborted) throw new StreamFailure('channel_down', 'timeout')
    if (error instanceof StreamFailure) throw error
    throw streamFailureOf(error, { isFirst: false })
  } finally {
    close()
  }
}
