import { useEffect } from 'react'
import { GetWatching } from './get-watching/lazy-get-watching.ts'
import { useReadyNotice } from './get-watching/use-ready-notice.ts'
import { useSetupStage } from './get-watching/use-setup-stage.ts'
import { NextStep } from './next-step/next-step.tsx'

/** The guided setup of a new customer, and afterwards the suggested next step if there is one. */
export function FirstSteps() {
  const stage = useSetupStage()
  // Called here and not in GetWatching, which unmounts while only one of two queries (account and line) has returned the new login.
  const notice = useReadyNotice(stage === 'ready', 'Your TV login is ready')
  // Preloaded, so that the setup appears without delay when a payment or a trial starts it.
  useEffect(() => void GetWatching.preload?.(), [])
  return stage ? <GetWatching stage={stage} notice={notice} /> : <NextStep />
}
