import { sql } from 'drizzle-orm'
import { askAgainAfter, tookEffect, type Wanted } from '../../rules.ts'
import type { Terms, Works } from '../config.ts'
import { type Job, move, needsAdmin, sending, tookPlace } from '../job-store.ts'
import { call, noteResult } from './execute-step.ts'
import type { Look } from './fetch-actual.ts'

/**
 * Finds out what became of a call by what the panel says of the line now. Nothing is sent a second time but what a panel takes
 * once under its key, and switching a line on or off, which is the same once and twice. Returns the job to go on with, or that it waits.
 */
export async function settle(
  works: Works,
  terms: Terms,
  job: Job,
  wanted: Wanted,
  saw: Exclude<Look, { kind: 'failure' }>,
): Promise<Job | { down: string } | 'left'> {
  const step = job.step!
  if (saw.kind === 'found' && tookEffect(step, wanted, saw.line, job.seen ?? {}, terms.panel.kind, terms.graceDays))
    return (await tookPlace(works, terms, job, step, saw.line)) ?? 'left'
  if (step === 'enable' || step === 'disable') {
    const steps = job.steps.filter((taken) => taken !== step)
    return (await move(works.db, job, { state: 'queued', steps, dueAt: sql`now()` })) ?? 'left'
  }
  if (terms.panel.can.idempotent && (saw.kind === 'found') === (step !== 'create')) {
    const again = await sending(works.db, job, step, saw.kind === 'found' ? saw.line : null)
    const packageRef = wanted.trial ? terms.trialPackage : (terms.packages[String(wanted.planId)] ?? '')
    return (
      (again && (await noteResult(works, terms, again, await call(terms, again, wanted, saw, packageRef)))) ?? 'left'
    )
  }
  const asked = job.asked + 1
  const minutes = askAgainAfter(asked)
  const answer =
    saw.kind === 'found'
      ? 'The panel shows the line as it was before our call.'
      : 'The panel does not know the line yet.'
  if (asked >= 3 || minutes === undefined) await needsAdmin(works, job, 'unknown', answer, 'unknown')
  else
    await move(works.db, job, {
      state: 'unknown',
      asked,
      dueAt: sql`now() + make_interval(mins => ${minutes})`,
      lastAnswer: answer,
    })
  return 'left'
}
