import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '#kit/caller.ts'
import { callOf, refresh } from '#web/data.ts'
import { claimDevice, createDeviceCode, type DeviceCode, getTv } from '../contract.ts'
import { slowDownSeconds } from '../rules.ts'

/** After this many codes, the TV requests another one only when a button is pressed, so that a TV that was left on does not request codes forever. */
const maxCodes = 4

type Pairing =
  | { phase: 'loading' }
  | { phase: 'code'; code: DeviceCode }
  /** No code is shown. `message` describes the error; empty if the last code expired or was refused. */
  | { phase: 'stopped'; message: string }

/** Requests codes for this TV, one after another, and polls until one of them is accepted. `restart` requests codes again in the phase `stopped`. */
export function usePairing(): { state: Pairing; restart: () => void } {
  const client = useQueryClient()
  const [state, setState] = useState<Pairing>({ phase: 'loading' })
  const runCount = useRef(0)

  const run = useCallback(async () => {
    const runNumber = ++runCount.current
    const isCurrent = () => runCount.current === runNumber
    setState({ phase: 'loading' })
    for (let n = 0; n < maxCodes && isCurrent(); n++) {
      try {
        const code = await callOf(client)(createDeviceCode, {})
        if (!isCurrent()) return
        setState({ phase: 'code', code })
        if (await isAccepted(code, callOf(client), isCurrent)) {
          await refresh(client, [getTv.id])
          return
        }
      } catch (error) {
        if (isCurrent()) setState({ phase: 'stopped', message: messageOf(error) })
        return
      }
    }
    if (isCurrent()) setState({ phase: 'stopped', message: '' })
  }, [client])

  useEffect(() => {
    void run()
    return () => {
      runCount.current++
    }
  }, [run])
  return { state, restart: () => void run() }
}

/** Polls until a code is accepted, refused or expired. Returns whether it was accepted. */
async function isAccepted(
  { deviceCode, interval }: DeviceCode,
  call: ReturnType<typeof callOf>,
  isCurrent: () => boolean,
): Promise<boolean> {
  let seconds = interval
  while (isCurrent()) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    if (!isCurrent()) return false
    try {
      await call(claimDevice, { body: { deviceCode } })
      return true
    } catch (error) {
      const code = error instanceof ApiError ? error.code : 'offline'
      if (code === 'expired_token' || code === 'access_denied') return false
      if (code !== 'authorization_pending') seconds += slowDownSeconds
    }
  }
  return false
}
