import { sql } from 'drizzle-orm'
import { nextStep, pauseAfter, type Wanted } from '../../rules.ts'
import type { Terms, Works } from '../config.ts'
import { type Standing, standingOf } from '../entitlement.ts'
import { finish, type Job, move, needsAdmin } from '../job-store.ts'
import type { PanelFailure } from '../panels/adapter.ts'
import { send } from './execute-step.ts'
import { type Look, look, lookAtStray } from './fetch-actual.ts'
import { settle } from './resolve-unknown.ts'

/** `down`: the panel does not answer, and the others wait too. */
export type Went = 'on' | { down: string }
type Found = { standing: Standing | null; wanted: Wanted; saw: Look }

/**
 * Brings one line to what its customer's subscription says now, call by call: the panel is looked at before each, so a job that was
 * interrupted anywhere, or comes twice or late, finds what is left to do.
 */
export async function doJob(works: Works, terms: Terms, given: Job): Promise<Went> {
  let job = given
  for (;;) {
    const { standing, wanted, saw } = await stand(works, terms, job)
    if (saw.kind === 'failure') return failed(works, job, saw.failure)
    if (job.state !== 'queued') {
      const went = await settle(works, terms, job, wanted, saw)
      if (went === 'left') return 'on'
      if ('down' in went) return went
      job = went
      continue
    }
    if (saw.kind === 'gone' && wanted.enabled) {
      await needsAdmin(works, job, 'gone', 'The panel no longer knows this line.', 'rejected')
      return 'on'
    }
    const found = saw.kind === 'found' ? saw.line : null
    const step = found
      ? nextStep(wanted, found, terms.panel, terms.graceDays, job.cause === 'repair')
      : wanted.enabled
        ? 'create'
        : null
    if (step === null) {
      await finish(works, terms, job, found, standing && wanted)
      return 'on'
    }
    const sent = await send(works, terms, job, step, wanted, saw, standing)
    if (!sent) return 'on'
    if ('down' in sent) return sent
    job = sent
  }
}

async function stand(works: Works, terms: Terms, job: Job): Promise<Found> {
  if (job.userId === null) {
    const nothing: Wanted = { enabled: false, until: null, connections: 1, trial: false, planId: null, months: 1 }
    return { standing: null, wanted: nothing, saw: await lookAtStray(terms, job) }
  }
  const standing = await standingOf(works.db, job.userId, terms.graceDays)
  return { standing, wanted: standing.wanted, saw: await look(works, terms, job.userId, standing) }
}

async function failed(works: Works, job: Job, { refusal, message }: PanelFailure): Promise<Went> {
  const isAway = refusal === 'unreachable' || refusal === 'auth'
  const minutes = pauseAfter(job.asked + 1)
  // A line whose answer alone cannot be read must not keep all others waiting for ever.
  if (!isAway && minutes === undefined) {
    await needsAdmin(works, job, 'tries', message)
    return 'on'
  }
  const asked = isAway ? job.asked : job.asked + 1
  // Its own pause: when the panel has rested, others go first.
  const pause = isAway ? {} : { dueAt: sql`now() + make_interval(mins => ${minutes})` }
  await move(works.db, job, {
    state: job.state === 'sent' ? 'unknown' : job.state,
    asked,
    lastAnswer: message,
    ...pause,
  })
  return { down: message }
}
