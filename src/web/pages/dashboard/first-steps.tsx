import { useEffect } from 'react'
import { GetWatching } from './get-watching/lazy-get-watching.ts'
import { useReadyNotice } from './get-watching/use-ready-notice.ts'
import { useSetupStage } from './get-watching/use-setup-stage.ts'
import { NextStep } from './next-step/next-step.tsx'

if (import.meta.env.SSR) await GetWatching.preload?.()

/** The guided setup of a new customer; afterwards the next step, if there is one. */
export function FirstSteps() {
  const stage = useSetupStage()
  // Called here and not in GetWatching, which is unmounted while only one of the queries of account and line shows the new login.
  const notice = useReadyNotice(stage === 'ready', 'Your TV login is ready')
  // Preloaded, so that the page does not wait when a payment or a trial begins the setup.
  useEffect(() => void GetWatching.preload?.(), [])
  return stage ? <GetWatching stage={stage} notice={notice} /> : <NextStep />
}
