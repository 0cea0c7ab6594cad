import type { Job, Transition } from '../job-store.ts'
import type { LineResult, ProvisioningPanel } from '../panels/port.ts'
import type { PanelCall } from './panel-call.ts'

/** Makes a call. A failure of the panel is returned in the result, never thrown. */
export function executeStep(panel: ProvisioningPanel, call: PanelCall): Promise<LineResult> {
  switch (call.step) {
    case 'create':
      return panel.createLine(call.line)
    case 'extend':
      return panel.extendLine(call.change)
    case 'connections':
      return panel.setConnections(call.change)
    case 'enable':
    case 'disable':
      return panel.setEnabled(call.lineRef, call.step === 'enable', call.credentials)
  }
}

/** The transition of a job after the result of a call. */
export function transitionAfter({ step }: Job, result: LineResult): Transition {
  if (result.outcome === 'done') return { name: 'confirm', step: step!, line: result.line }
  const { message: answer } = result
  if (result.outcome === 'unknown')
    return result.nothingSent ? { name: 'notSent', answer } : { name: 'loseOutcome', answer, minutes: 1 }
  // Usernames are derived from the customer, so an existing one is most likely our own line. Reading the line from the panel verifies that.
  if (result.refusal === 'exists' && step === 'create') return { name: 'loseOutcome', answer, minutes: 0 }
  return { name: 'reject', task: 'rejected', answer }
}
