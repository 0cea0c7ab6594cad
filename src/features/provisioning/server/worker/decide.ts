import { nextStep, retryMinutes } from '../../rules.ts'
import type { ProvisioningConfig } from '../config.ts'
import type { Job, Transition } from '../job-store.ts'
import type { PanelFailure, PanelLine } from '../panels/port.ts'
import type { Effect } from './effect.ts'
import type { FetchedState } from './fetch-actual.ts'
import type { Target } from './load.ts'
import { packageFor, panelCall } from './panel-call.ts'
import { resolveUnknown } from './resolve-unknown.ts'

/** Decides what a job does next. Reads and writes nothing. */
export function decide(config: ProvisioningConfig, job: Job, target: Target, actual: FetchedState): Effect {
  const { desired, subscriber } = target
  if (target.isOwned)
    return { transition: job.state === 'queued' ? { name: 'finish', line: null, desired: null } : { name: 'resend' } }
  if (actual.kind === 'failed') return { transition: afterFailedRead(job, actual.failure) }
  if (job.state !== 'queued') return resolveUnknown(config, job, desired, actual)
  if (actual.kind === 'gone' && desired.enabled) return reject('gone', 'The panel no longer has this line.')
  const line = actual.kind === 'found' ? actual.line : null
  const missing = desired.enabled ? 'create' : null
  const step = line ? nextStep(desired, line, config.panel, config.graceDays, job.cause === 'repair') : missing
  if (step === null) return { transition: { name: 'finish', line, desired: subscriber && desired } }
  // Each job executes each step once. The panel accepted this step before, but the line still differs.
  if (job.steps.includes(step)) return reject('mismatch', mismatchText(line))
  if (step === 'create' && packageFor(config, desired) === '') {
    const what = desired.trial ? 'trials' : `the plan ${subscriber?.planName ?? ''}`
    return reject('package', `No package is chosen for ${what}.`)
  }
  return {
    transition: { name: 'send', step, before: line },
    call: panelCall(config, job, step, desired, actual),
  }
}

const reject = (task: 'gone' | 'mismatch' | 'package', answer: string): Effect => ({
  transition: { name: 'reject', task, answer },
})

function afterFailedRead({ asked }: Job, { refusal, message: answer }: PanelFailure): Transition {
  // Nothing can be read from a panel that is down or refuses our key, so this does not count against the job.
  if (refusal === 'unreachable' || refusal === 'auth') return { name: 'readFailed', answer, retry: null }
  // Only this job is delayed, so that an unreadable response about one line does not block the others.
  const minutes = retryMinutes(asked + 1)
  return minutes === undefined
    ? { name: 'giveUp', task: 'tries', answer }
    : { name: 'readFailed', answer, retry: { minutes } }
}

const mismatchText = (line: PanelLine | null): string =>
  line
    ? `The panel reports: ${line.enabled ? 'enabled' : 'disabled'}, expires ${line.expiresAt ?? 'never'}, ${line.connections ?? 'unlimited'} connections.`
    : 'The panel does not find the line that it created.'
