import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '#kit/caller.ts'
import { callOf, refresh } from '#web/data.ts'
import { claimDevice, createDeviceCode, type DeviceCode, getTv } from '../contract.ts'
import { slowDownSeconds } from '../rules.ts'

/** After this number of codes the TV waits until a button is pressed, so that a TV that was left on does not request codes indefinitely. */
const mostCodes = 4

type Pairing =
  | { phase: 'loading' }
  | { phase: 'code'; code: DeviceCode }
  /** No code is shown; `message` says why, empty if the maximum number of codes expired. */
  | { phase: 'stopped'; message: string }

/** Shows codes one after the other and asks whether this TV was paired. `restart` begins again after it stopped. */
export function usePairing(): { state: Pairing; restart: () => void } {
  const client = useQueryClient()
  const [state, setState] = useState<Pairing>({ phase: 'loading' })
  const turn = useRef(0)

  const run = useCallback(async () => {
    const mine = ++turn.current
    const isCurrent = () => turn.current === mine
    setState({ phase: 'loading' })
    for (let n = 0; n < mostCodes && isCurrent(); n++) {
      try {
        const code = await callOf(client)(createDeviceCode, {})
        if (!isCurrent()) return
        setState({ phase: 'code', code })
        if (await waitFor(code, callOf(client), isCurrent)) {
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
      turn.current++
    }
  }, [run])
  return { state, restart: () => void run() }
}

/** Polls until the code is accepted (true), or is refused or expired (false). */
async function waitFor(
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
