import { useEffect } from 'react'
import { GetWatching } from './get-watching/part.ts'
import { useReadyNotice } from './get-watching/use-ready-notice.ts'
import { useSetupStage } from './get-watching/use-setup-stage.ts'
import { NextStep } from './next-step/next-step.tsx'

if (import.meta.env.SSR) await GetWatching.preload?.()

/** The guided setup of a new customer; afterwards the next step, if there is one. */
export function FirstSteps() {
  const stage = useSetupStage()
  // Here and not in the setup, which is gone while only one of account and line shows the new login.
  const notice = useReadyNotice(stage === 'ready', 'Your TV login is ready')
  // Loaded ahead, so that the page does not wait when a payment or a trial begins the setup.
  useEffect(() => void GetWatching.preload?.(), [])
  return stage ? <GetWatching stage={stage} notice={notice} /> : <NextStep />
}
