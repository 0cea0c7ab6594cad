import { type DesiredState, hasTakenEffect, recheckMinutes } from '../../rules.ts'
import type { ProvisioningConfig } from '../config.ts'
import type { Job } from '../job-store.ts'
import type { Effect } from './effect.ts'
import type { ActualLine } from './fetch-actual.ts'
import { panelCall } from './panel-call.ts'

const maxRechecks = 3

/**
 * Decides from the current state of the line whether a call that was sent took effect. The call is repeated only if that is safe: for enabling and disabling,
 * and on panels that execute each idempotency key once.
 */
export function resolveUnknown(
  config: ProvisioningConfig,
  job: Job,
  desired: DesiredState,
  actual: ActualLine,
): Effect {
  const { panel, graceDays } = config
  const step = job.step!
  const line = actual.kind === 'found' ? actual.line : null
  if (line && hasTakenEffect(step, desired, line, job.seen ?? {}, panel.kind, graceDays))
    return { transition: { name: 'confirm', step, line } }
  if (step === 'enable' || step === 'disable') return { transition: { name: 'resend' } }
  if (panel.can.idempotent && (line !== null) === (step !== 'create'))
    return {
      transition: { name: 'send', step, before: line },
      call: panelCall(config, job, step, desired, actual),
    }
  const answer = line
    ? 'The panel shows the line as it was before the request.'
    : 'The panel does not show the line yet.'
  const checks = job.asked + 1
  const minutes = recheckMinutes(checks)
  return checks >= maxRechecks || minutes === undefined
    ? { transition: { name: 'leaveUnknown', task: 'unknown', answer } }
    : { transition: { name: 'recheck', answer, minutes } }
}
