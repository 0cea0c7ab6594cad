import { sql } from 'drizzle-orm'
import { endAtPanel, type Step, sellsPeriods, type Wanted } from '../../rules.ts'
import type { Terms, Works } from '../config.ts'
import type { Standing } from '../entitlement.ts'
import { hasTaken, type Job, move, needsAdmin, sending, tookPlace } from '../job-store.ts'
import type { LineResult, PanelLine } from '../panels/adapter.ts'
import type { Look } from './fetch-actual.ts'

/** The job to go on with; undefined: nothing more can be done now; `down`: the panel was not reached. */
export type Sent = Job | { down: string } | undefined

/** Writes that a call is made, makes it and notes what came of it. */
export async function send(
  works: Works,
  terms: Terms,
  job: Job,
  step: Step,
  wanted: Wanted,
  saw: Look,
  standing: Standing | null,
): Promise<Sent> {
  const before = saw.kind === 'found' ? saw.line : null
  if (hasTaken(job, step)) return void (await needsAdmin(works, job, 'mismatch', mismatch(before), 'rejected'))
  const packageRef = wanted.trial ? terms.trialPackage : (terms.packages[String(wanted.planId)] ?? '')
  if (packageRef === '' && step === 'create') {
    const what = wanted.trial ? 'trials' : `the plan ${standing?.planName ?? ''}`
    return void (await needsAdmin(works, job, 'package', `No package is chosen for ${what}.`, 'rejected'))
  }
  const sent = await sending(works.db, job, step, before)
  if (!sent) return undefined
  return noteResult(works, terms, sent, await call(terms, sent, wanted, saw, packageRef))
}

/** The call itself. */
export function call(
  { panel, graceDays }: Terms,
  job: Job,
  wanted: Wanted,
  saw: Look,
  packageRef: string,
): Promise<LineResult> {
  const idempotencyKey = `${job.causeKey}:${job.step}`
  const lineRef = saw.kind === 'found' ? saw.line.lineRef : ''
  const until = sellsPeriods(panel.kind) ? wanted.until : endAtPanel(wanted, graceDays)
  const known =
    saw.kind === 'found' && saw.line.password !== null
      ? { username: saw.line.username, password: saw.line.password }
      : undefined
  const chosen = { ...(packageRef !== '' && { packageRef }), ...(known && { credentials: known }) }
  switch (job.step!) {
    case 'create':
      if (saw.kind === 'found' || saw.kind === 'failure') throw new Error('A line that is there is not made')
      return panel.createLine({
        idempotencyKey,
        username: saw.username,
        password: saw.password,
        packageRef,
        connections: wanted.connections,
        ...(until !== null && { expiresAt: until }),
        ...(wanted.trial && { trialHours: hoursUntil(wanted.until!) }),
        note: `Customer ${job.userId}`,
      })
    case 'extend':
      return panel.extendLine({ idempotencyKey, lineRef, until: until!, ...chosen })
    case 'connections':
      return panel.setConnections({ idempotencyKey, lineRef, connections: wanted.connections, ...chosen })
    case 'enable':
    case 'disable':
      return panel.setEnabled(lineRef, job.step === 'enable', known)
  }
}

const hoursUntil = (until: string): number => Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 3_600_000))

/** Notes what came of a call. */
export async function noteResult(works: Works, terms: Terms, job: Job, result: LineResult): Promise<Sent> {
  if (result.outcome === 'done') return tookPlace(works, terms, job, job.step!, result.line)
  const { message } = result
  if (result.outcome === 'unknown' && result.nothingSent) {
    const steps = job.steps.slice(0, -1)
    const moved = await move(works.db, job, { state: 'queued', steps, lastAnswer: message })
    return moved && { down: message }
  }
  // Our own name is taken: by our own line, most likely, which is found out by asking.
  const isOwnName = result.outcome === 'rejected' && result.refusal === 'exists' && job.step === 'create'
  if (result.outcome === 'unknown' || isOwnName) {
    works.log.warn({ job: job.id, step: job.step, message }, 'it is not known what became of a call to the panel')
    const dueAt = isOwnName ? sql`now()` : sql`now() + interval '1 minute'`
    return void (await move(works.db, job, { state: 'unknown', dueAt, lastAnswer: message }))
  }
  return void (await needsAdmin(works, job, 'rejected', message, 'rejected'))
}

const mismatch = (line: PanelLine | null): string =>
  line
    ? `The panel says: ${line.enabled ? 'switched on' : 'switched off'}, until ${line.expiresAt ?? 'no end'}, ${line.connections ?? 'any number of'} connections.`
    : 'The panel does not know the line it made.'
