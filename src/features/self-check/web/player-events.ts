import { useEffect } from 'react'
import type { BrowserFacts } from '../contract.ts'

type Event = { at: number; channelId: number; what: BrowserFacts['events'][number]['what']; why?: string }
const maxEvents = 40
const keptMs = 60_000
const events: Event[] = []

/** What the player did with a channel in the last minute, oldest first. The events are kept in memory only. */
export const recentEvents = (channelId: number | undefined): BrowserFacts['events'] =>
  events
    .filter((event) => event.channelId === channelId && Date.now() - event.at < keptMs)
    .map(({ at, what, why }) => ({ agoMs: Date.now() - at, what, ...(why !== undefined && { why }) }))

/** Records what the player does. A later check uses these events. */
export function useRecordPlayerEvents(
  channelId: number | undefined,
  what: Event['what'] | undefined,
  why?: string,
): void {
  useEffect(() => {
    if (channelId === undefined || what === undefined) return
    const reason = why ?? (document.hidden ? 'hidden' : undefined)
    events.push({ at: Date.now(), channelId, what, ...(reason !== undefined && { why: reason }) })
    if (events.length > maxEvents) events.shift()
  }, [channelId, what, why])
}
