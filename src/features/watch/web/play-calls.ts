import type { QueryClient } from '@tanstack/react-query'
import { callOf } from '#web/data.ts'
import { getPlay, type OpenedPlay, openPlay, seekPlay } from '../contract.ts'

/**
 * What to play: a live channel, or with `from` the program in its archive that was on at that time. With `resume`, a program that is opened at its start
 * resumes where the customer stopped. `take`: the id of another play to end first.
 */
export type PlayRequest = { channelId: number; from?: string | undefined; resume?: boolean; take?: string | undefined }

/** A random id of this page. The server stores it with the play. */
const tab = Math.random().toString(36).slice(2) || '0'

/** How long to wait for a response, in milliseconds. A connection that no longer exists can keep a request for a quarter of an hour. */
const openMs = 30_000
const readMs = 10_000

/** Opens a play or changes its channel. Throws an ApiError, or any other error if no response arrived. */
export const openCall =
  (client: QueryClient, { channelId, from, resume, take }: PlayRequest) =>
  (): Promise<OpenedPlay> =>
    within(openMs, (signal) =>
      callOf(client)(
        openPlay,
        { body: { channelId, tab, ...(from && { from, resume }), ...(take && { take }) } },
        signal,
      ),
    )

/** Continues a play at another time of the archive. Throws as `openCall` does. */
export const seekCall =
  (client: QueryClient, { playId, from }: { playId: string; from: string }) =>
  (): Promise<OpenedPlay> =>
    within(openMs, (signal) => callOf(client)(seekPlay, { params: { playId }, body: { from, tab } }, signal))

/** Reads whether a play is still running; null if no response arrived. */
export const readPlay = (client: QueryClient, playId: string) =>
  within(readMs, (signal) => callOf(client)(getPlay, { params: { playId } }, signal)).catch(() => null)

/** Ends a play, also while the page is being left. */
export function endPlay(path: string): void {
  const request = { method: 'DELETE', headers: { 'content-type': 'application/json' }, body: '{}' }
  // `keepalive` lets the request finish after the page is closed. Browsers before Chromium 81 refuse it.
  void fetch(path, { ...request, keepalive: true })
    .catch(() => fetch(path, request))
    .catch(() => undefined)
}

/**
 * Whether another tab of this browser continued the play, of which this tab knows `generation`. A later generation of this tab comes from a request whose
 * response was lost.
 */
export const isOfOtherTab = (
  generation: number | undefined,
  play: { generation: number; tab: string | null } | null | undefined,
): boolean => generation !== undefined && play != null && play.generation > generation && play.tab !== tab

/** Calls with a signal that is aborted after `ms`. */
async function within<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  try {
    return await call(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
