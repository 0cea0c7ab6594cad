import { type DesiredState, expiryAtPanel, type Step, sellsPeriods } from '../../rules.ts'
import type { ProvisioningConfig } from '../config.ts'
import type { Job } from '../job-store.ts'
import type { LineCredentials, NewLine, ProvisioningPanel } from '../panels/port.ts'
import type { ActualLine } from './fetch-actual.ts'

/** One call to the panel, with everything it needs. */
export type PanelCall =
  | { step: 'create'; line: NewLine }
  | { step: 'extend'; change: Parameters<ProvisioningPanel['extendLine']>[0] }
  | { step: 'connections'; change: Parameters<ProvisioningPanel['setConnections']>[0] }
  | { step: 'enable' | 'disable'; lineRef: string; credentials: LineCredentials | undefined }

/** The panel's package for a plan or for trials; empty if the operator chose none. */
export const packageFor = ({ packages, trialPackage }: ProvisioningConfig, { trial, planId }: DesiredState): string =>
  trial ? trialPackage : (packages[String(planId)] ?? '')

/** Builds the call for a step. Throws if the line does not allow the step, which is a bug. */
export function panelCall(
  config: ProvisioningConfig,
  { causeKey, userId }: Job,
  step: Step,
  desired: DesiredState,
  actual: ActualLine,
): PanelCall {
  const idempotencyKey = `${causeKey}:${step}`
  const packageRef = packageFor(config, desired)
  const until = sellsPeriods(config.panel.kind) ? desired.until : expiryAtPanel(desired, config.graceDays)
  if (step === 'create') {
    if (actual.kind === 'found') throw new Error('A line that exists cannot be created')
    return {
      step,
      line: {
        idempotencyKey,
        ...actual.credentials,
        packageRef,
        connections: desired.connections,
        ...(until !== null && { expiresAt: until }),
        ...(desired.trial && { trialHours: hoursUntil(desired.until!) }),
        note: `Customer ${userId}`,
      },
    }
  }
  if (actual.kind !== 'found') throw new Error('A line that does not exist cannot be changed')
  const { lineRef, username, password } = actual.line
  const credentials = password === null ? undefined : { username, password }
  if (step === 'enable' || step === 'disable') return { step, lineRef, credentials }
  const change = {
    idempotencyKey,
    lineRef,
    ...(packageRef !== '' && { packageRef }),
    ...(credentials && { credentials }),
  }
  return step === 'extend'
    ? { step, change: { ...change, until: until! } }
    : { step, change: { ...change, connections: desired.connections } }
}

const hoursUntil = (until: string): number => Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 3_600_000))
