import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '#kit/caller.ts'
import { callOf } from '#web/data.ts'
import {
  type BrowserFacts,
  type CheckResult,
  recordVerdict,
  runCheck,
  type ServerFacts,
  type Verdict,
} from '../contract.ts'
import { determineVerdict, isHostSlow, maxCheckMs, neededKbps, speedOf } from '../rules.ts'
import { recentFrames } from './count-frames.ts'
import { isBlocked, measureDelays, measureHost, measureSpeed, mediaFacts, secondSampleMs } from './measure.ts'
import { recentEvents } from './player-events.ts'

export type CheckState = {
  /** `stopped`: the customer stopped the check before there was a result. `refused`: the server refused to check. */
  phase: 'running' | 'done' | 'stopped' | 'refused'
  id: string | null
  device: string
  /** The streaming host from which the channel may be loaded directly; null if it plays through this site. */
  host: string | null
  server: ServerFacts | null
  browser: BrowserFacts
  verdict: Verdict | null
  /** The message of the server if it refused to check. */
  refusal: string | null
  at: number
}

const initialFacts = (channelId: number | undefined): BrowserFacts => ({
  online: navigator.onLine,
  server: 'no_answer',
  ...mediaFacts(null),
  clockOffMs: 0,
  delaysMs: [],
  lost: 0,
  sample: null,
  frames: recentFrames(channelId),
  hidden: document.hidden,
  events: recentEvents(channelId),
})
const initialState: CheckState = {
  phase: 'running',
  id: null,
  device: '',
  host: null,
  server: null,
  browser: {
    online: true,
    server: 'no_answer',
    mediaSource: true,
    decodes: true,
    clockOffMs: 0,
    delaysMs: [],
    lost: 0,
    sample: null,
    events: [],
  },
  verdict: null,
  refusal: null,
  at: 0,
}

/** Measures the streaming host and, if the host is slow, this site a second time. Null if the connection is not fast enough for the channel. */
async function hostFacts(
  { sample: address, direct, facts }: CheckResult,
  sample: BrowserFacts['sample'],
  signal: AbortSignal,
): Promise<BrowserFacts['host']> {
  if (!direct || (speedOf({ sample }) ?? 0) < neededKbps(facts)) return null
  const measured = await measureHost(direct, signal)
  if (!measured) return null
  const host = { ...measured, after: null }
  return isHostSlow(facts, { host })
    ? { ...host, after: await measureSpeed(address, facts, signal, secondSampleMs) }
    : host
}

/**
 * Runs a check when the page opens and when the channel changes. It takes at most twelve seconds. `isAvoided`: whether this page avoids a host, which is then
 * not measured.
 */
export function useCheck(channelId: number | undefined, isAvoided: (host: string) => boolean) {
  const client = useQueryClient()
  const [state, setState] = useState(initialState)
  const stop = useRef(() => {})

  const start = useCallback(() => {
    stop.current()
    const stopped = new AbortController()
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(maxCheckMs)])
    stop.current = () => stopped.abort()
    let state: CheckState = { ...initialState, browser: initialFacts(channelId) }
    const update = (change: Partial<CheckState>, browser: Partial<BrowserFacts> = {}) => {
      state = { ...state, ...change, browser: { ...state.browser, ...browser } }
      if (!stopped.signal.aborted) setState(state)
    }
    const requestCheck = async (): Promise<CheckResult | null> => {
      try {
        return await callOf(client)(runCheck, { body: channelId === undefined ? {} : { channelId } }, signal)
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) update({ phase: 'refused', refusal: error.serverMessage })
        else if (error instanceof ApiError && error.code !== 'unknown') update({}, { server: 'busy' })
        return null
      }
    }
    const onHide = () => document.hidden && update({}, { hidden: true })
    document.addEventListener('visibilitychange', onHide)
    const run = async () => {
      update({})
      const [delays, result] = await Promise.all([measureDelays(signal), requestCheck()])
      if (state.phase === 'refused') return
      const [segment] = result?.direct?.segments ?? []
      const host = segment ? new URL(segment).host : null
      update(result ? { id: result.id, device: result.device, host, server: result.facts } : {}, {
        ...delays,
        ...(result && {
          server: 'answered',
          clockOffMs: Date.now() - Date.parse(result.facts.at),
          ...mediaFacts(result.facts.probe.codecs),
        }),
      })
      const sample = result && (await measureSpeed(result.sample, result.facts, signal))
      const blocked = result && !sample ? await isBlocked(result.sample, delays.delaysMs, signal) : false
      const measured = result && host && !isAvoided(host) ? await hostFacts(result, sample, signal) : null
      const browser = { ...state.browser, sample, blocked, host: measured, online: navigator.onLine }
      const verdict = determineVerdict(state.server, browser)
      update({ phase: 'done', verdict, at: Date.now() }, browser)
      if (!state.id || stopped.signal.aborted) return
      // Only for the operator's counts: the result of the check does not depend on this request.
      const recorded = { params: { checkId: state.id }, body: { cause: verdict.cause } }
      callOf(client)(recordVerdict, recorded).catch(() => undefined)
    }
    void run().finally(() => document.removeEventListener('visibilitychange', onHide))
  }, [channelId, client, isAvoided])

  useEffect(() => {
    start()
    return () => stop.current()
  }, [start])

  return {
    state,
    start,
    stop: () => {
      stop.current()
      setState((before) => ({ ...before, phase: 'stopped', at: Date.now() }))
    },
  }
}
