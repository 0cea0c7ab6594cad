import { GetWatching } from './get-watching/get-watching.tsx'
import { useReadyNotice } from './get-watching/use-ready-notice.ts'
import { useSetupStage } from './get-watching/use-setup-stage.ts'
import { NextStep } from './next-step/next-step.tsx'

/** The guided setup of a new customer; afterwards the next step, if there is one. */
export function FirstSteps() {
  const stage = useSetupStage()
  // Here and not in the setup, which is gone while only one of account and line shows the new login.
  const notice = useReadyNotice(stage === 'ready', 'Your TV login is ready')
  return stage ? <GetWatching stage={stage} notice={notice} /> : <NextStep />
}
