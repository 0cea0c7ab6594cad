import { setTimeout as pause } from 'node:timers/promises'
import type { CompactProgram } from '#features/guide/rules.ts'
import { beginCall, endCall, streamToAskFor } from '#features/guide/server/panel/count-calls.ts'
import { storeListings } from '#features/guide/server/panel/store-listings.ts'
import { readNow } from '#features/guide/server/read/read-now.ts'
import { hasFailed } from '#features/iptv/server/xtream/login-check.ts'
import { readShortEpg } from '#features/iptv/server/xtream/short-epg.ts'
import type { Config } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import { CircuitBreaker, CircuitOpenError } from '#server/overload/circuit-breaker.ts'
import { type LineToWatch, lineToWatch, readLineRow } from '../plays/line-to-watch.ts'
import type { RelayContext } from '../relay/play.ts'

// One circuit breaker for each panel and configuration, which keeps its state between calls.
const breakers = new WeakMap<Config, Map<string, CircuitBreaker>>()
/** The running calls of this process, by channel. Requests for the same channel share one call. */
const running = new WeakMap<Config, Map<number, Promise<void>>>()
const inConfig = <K, V>(all: WeakMap<Config, Map<K, V>>, config: Config): Map<K, V> => {
  const existing = all.get(config) ?? new Map<K, V>()
  all.set(config, existing)
  return existing
}

/**
 * Asks the panel, with this customer's line, what is on a channel that no guide source lists, and stores the listings. Does nothing if the customer cannot
 * watch, if the last answer is less than ten minutes old, or if too many calls were made. Does not throw if the panel fails.
 */
export function askPanel(context: RelayContext, userId: number, channelId: number): Promise<void> {
  const calls = inConfig(running, context.config)
  const current = calls.get(channelId)
  if (current) return current
  const call = ask(context, userId, channelId).finally(() => calls.delete(channelId))
  calls.set(channelId, call)
  return call
}

async function ask({ db, config, log }: RelayContext, userId: number, channelId: number): Promise<void> {
  const stream = await streamToAskFor(db, channelId)
  if (stream === undefined) return
  const watching = await lineToWatch(db, config, await readLineRow(db, userId))
  if ('blocked' in watching || !(await beginCall(db, channelId))) return
  let wasMade = true
  try {
    const answer = await callPanel(config, watching.line, stream)
    if ('failure' in answer) log.info({ outcome: answer.failure.outcome }, 'the panel sent no listings')
    else await storeListings(db, channelId, answer.programs)
  } catch (error) {
    if (!(error instanceof CircuitOpenError)) throw error
    wasMade = false
  } finally {
    await endCall(db, channelId, wasMade)
  }
}

function callPanel(config: Config, line: LineToWatch, stream: string) {
  const panels = inConfig(breakers, config)
  const breaker = panels.get(line.base.href) ?? new CircuitBreaker()
  panels.set(line.base.href, breaker)
  const panel = {
    url: line.base.href,
    allowPrivate: config.panelAllowPrivate,
    userAgent: line.userAgent,
    neverExpires: config.panel?.neverExpires ?? [],
  }
  return breaker.run(
    () => readShortEpg(panel, { username: line.username, password: line.password() }, stream),
    (answer) => 'failure' in answer && hasFailed(answer.failure),
  )
}

/** Does the same as `askPanel`, but does not wait for the result. */
export function askPanelInBackground(context: RelayContext, userId: number, channelId: number): void {
  askPanel(context, userId, channelId).catch((error: Error) =>
    context.log.warn({ message: error.message }, 'listings of the panel could not be stored'),
  )
}

/** Asks the panel and waits at most two seconds for it. Returns what is on the channel now and next, from the panel or from a source. */
export async function requestListings(
  context: RelayContext,
  userId: number,
  channelId: number,
): Promise<CompactProgram[]> {
  const waited = new AbortController()
  const wait = pause(limits.panelListings.waitMs, undefined, { signal: waited.signal })
  await Promise.race([askPanel(context, userId, channelId), wait]).finally(() => waited.abort())
  return (await readNow(context.db)).rows.find(([id]) => id === channelId)?.[1] ?? []
}
