import type { QueryClient } from '@tanstack/react-query'
import type { AnyEndpoint, Input, Output } from '#kit/endpoint.ts'
import { callOf } from '#web/data.ts'
import { getPlay, openPlay, seekPlay } from '../contract.ts'

/**
 * What to play: a live channel, or with `from` the program in its archive that was on at that time. With `resume`, a program that is opened at its start
 * resumes where the customer stopped. `take`: the id of another play to end first.
 */
export type PlayRequest = { channelId: number; from?: string | undefined; resume?: boolean; take?: string | undefined }

/** A random id of this page. The server stores it with the play. */
const tab = String(Math.random())

/** How long to wait for a response, in milliseconds. A connection that no longer exists can keep a request for a quarter of an hour. */
const openMs = 30_000
const readMs = 10_000

/** Calls an endpoint, and gives up after `ms`. */
function callWithin<E extends AnyEndpoint>(ms: number, client: QueryClient, endpoint: E, input: Input<E>) {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return callOf(client)(endpoint, input, controller.signal)
}

/** Opens a play or changes its channel. Throws an ApiError, or any other error if no response arrived. */
export const openCall =
  (client: QueryClient, { channelId, from, resume, take }: PlayRequest) =>
  () =>
    callWithin(openMs, client, openPlay, {
      body: { channelId, tab, ...(from && { from, resume }), ...(take && { take }) },
    })

/** Continues a play at another time of the archive. Throws as `openCall` does. */
export const seekCall = (client: QueryClient, playId: string, from: string) => () =>
  callWithin(openMs, client, seekPlay, { params: { playId }, body: { from, tab } })

/** Reads whether a play is still running; null if no response arrived. */
export const readPlay = (client: QueryClient, playId: string) =>
  callWithin(readMs, client, getPlay, { params: { playId } }).catch(() => null)

/** Ends a play, also while the page is being left. */
export function endPlay(path: string): void {
  const request = { method: 'DELETE', headers: { 'content-type': 'application/json' }, body: '{}' }
  // `keepalive` lets the request finish after the page is closed. Browsers before Chromium 81 refuse it.
  void fetch(path, { ...request, keepalive: true })
    .catch(() => fetch(path, request))
    .catch(() => undefined)
}

/** Whether another tab of this browser opened the play last. If this tab did, its response may have been lost. */
export const isOfOtherTab = (play: Pick<Output<typeof getPlay>, 'tab'>): boolean => play.tab !== tab
