import { and, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { currentUser, listUsers } from '#features/accounts/contract.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lineJobs, lines, users } from '#server/db/tables.ts'
import { notifyAdmins, notifyUser } from '#server/live/notify.ts'
import { type Key, seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { getOwnLine } from '../contract.ts'
import { type Step, steps, type Wanted } from '../rules.ts'
import { linePages } from './affected-endpoints.ts'
import type { Terms, Works } from './config.ts'
import { openPassword, sealPassword } from './credentials.ts'
import type { Line } from './entitlement.ts'
import type { PanelLine } from './panels/adapter.ts'

export type Job = typeof lineJobs.$inferSelect
type Change = Partial<Record<keyof typeof lineJobs.$inferInsert, unknown>>

/** Moves a job on, if it still is as this process knows it. Returns what it became, undefined when somebody else was faster. */
export async function move(db: Db | Tx, { id, state, attempts, asked }: Job, to: Change): Promise<Job | undefined> {
  const [moved] = await db
    .update(lineJobs)
    .set(to as Partial<Job>)
    .where(
      and(eq(lineJobs.id, id), eq(lineJobs.state, state), eq(lineJobs.attempts, attempts), eq(lineJobs.asked, asked)),
    )
    .returning()
  if (moved) await notifyAdmins(db, linePages)
  return moved
}

/** Before a call: what is asked for and how the line was. From here on it counts as sent, whatever becomes of this process. */
export const sending = (db: Db, job: Job, step: Step, before: PanelLine | null): Promise<Job | undefined> =>
  move(db, job, {
    state: 'sent',
    step,
    seen: before ? { enabled: before.enabled, until: before.expiresAt, connections: before.connections } : {},
    steps: [...job.steps, step],
    attempts: sql`${lineJobs.attempts} + 1`,
    asked: 0,
    sentAt: sql`now()`,
  })

/** The call took effect: the line is known by its number, the customer's account shows it, and the job goes on to the next step. */
export async function tookPlace(
  works: Works,
  terms: Terms,
  job: Job,
  step: Step,
  found: PanelLine,
): Promise<Job | undefined> {
  const { userId } = job
  return inTransaction(works.db, async (tx) => {
    // Payments lock the customer before the line.
    if (userId !== null) await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
    const moved = await move(tx, job, { state: 'queued', asked: 0, dueAt: sql`now()`, lastAnswer: null })
    if (!moved) return undefined
    const about = {
      step,
      cause: job.cause,
      panel: terms.panel.kind,
      until: found.expiresAt,
      connections: found.connections,
      enabled: found.enabled,
    }
    await audit(tx, {
      actorId: null,
      action: `line.${step}`,
      targetType: userId === null ? 'line' : 'user',
      targetId: userId ?? found.lineRef,
      after: { ...about, username: found.username },
    })
    if (userId !== null) {
      await seen(tx, works.key(), terms, userId, found)
      if (step === 'create' && job.cause !== 'trial') await giveAccount(tx, works.key(), userId, true)
    }
    return moved
  })
}

/** Keeps how the panel tells a line. Its number makes it ours; a password changed there is the one that works. */
export async function seen(tx: Tx, key: Key, terms: Terms, userId: number, found: PanelLine): Promise<void> {
  const [line] = await tx.select().from(lines).where(eq(lines.userId, userId))
  const isOther =
    found.password !== null && (line!.password === null || openPassword(key, userId, line!.password) !== found.password)
  await tx
    .update(lines)
    .set({
      panel: terms.name,
      lineRef: found.lineRef,
      server: terms.server,
      username: found.username,
      ...(isOther && { password: sealPassword(key, userId, found.password!) }),
      panelEnabled: found.enabled,
      panelUntil: found.expiresAt,
      panelConnections: found.connections,
      seenAt: sql`now()`,
    })
    .where(eq(lines.userId, userId))
  await notifyUser(tx, userId, [getOwnLine.id])
}

/** A line becomes the IPTV account of its customer, as if they had entered it themselves. Only a new one replaces what they entered. */
export async function giveAccount(
  tx: Tx,
  key: Key,
  userId: number,
  isNew = false,
  actorId: number | null = null,
): Promise<void> {
  const [line] = await tx.select().from(lines).where(eq(lines.userId, userId))
  const password = seal(key, openPassword(key, userId, line!.password!), sealedColumns.iptvPassword.place(userId))
  const account = { iptvUsername: line!.username, iptvSynced: true, iptvMaxConnections: line!.wantedConnections }
  const [before] = await tx
    .select({ iptvUsername: users.iptvUsername, iptvSynced: users.iptvSynced })
    .from(users)
    .where(eq(users.id, userId))
  if (!isNew && before!.iptvSynced) return
  await tx
    .update(users)
    .set({ ...account, iptvPassword: password, iptvSyncedAt: sql`now()` })
    .where(eq(users.id, userId))
  await audit(tx, { actorId, action: 'iptv.sync', targetType: 'user', targetId: userId, before, after: account })
  await notifyUser(tx, userId, [currentUser.id])
  await notifyAdmins(tx, [listUsers.id])
}

/** The line is as it should be. Earlier jobs of the customer that waited for an administrator wanted nothing else. */
export async function finish(
  works: Works,
  terms: Terms,
  job: Job,
  found: PanelLine | null,
  wanted: Wanted | null,
): Promise<void> {
  await inTransaction(works.db, async (tx) => {
    const { userId } = job
    if (userId !== null) await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
    const moved = await move(tx, job, { state: 'done', task: null, finishedAt: sql`now()`, lastAnswer: null })
    if (!moved || userId === null) return
    if (found) {
      await seen(tx, works.key(), terms, userId, found)
      if (wanted?.enabled && !wanted.trial) await giveAccount(tx, works.key(), userId)
    }
    if (wanted)
      await tx
        .update(lines)
        .set({ wantedEnabled: wanted.enabled, wantedUntil: wanted.until, wantedConnections: wanted.connections })
        .where(eq(lines.userId, userId))
    await tx
      .update(lineJobs)
      .set({ state: 'done', task: null, finishedAt: sql`now()`, lastAnswer: 'A later job did this too.' })
      .where(
        and(
          eq(lineJobs.userId, userId),
          lt(lineJobs.id, job.id),
          isNotNull(lineJobs.task),
          inArray(lineJobs.state, ['queued', 'rejected']),
        ),
      )
  })
}

/** A job that an administrator has to look at. */
export async function needsAdmin(
  works: Works,
  job: Job,
  task: NonNullable<Job['task']>,
  answer: string | null,
  state: Job['state'] = job.state,
): Promise<void> {
  works.log.warn({ job: job.id, cause: job.cause, step: job.step, task }, 'a line waits for an administrator')
  await move(works.db, job, { state, task, lastAnswer: answer })
}

/** Whether a job has made this call already. */
export const hasTaken = (job: Job, step: Step): boolean => steps.includes(step) && job.steps.includes(step)

/** Whether a line is known by its number on this very panel. */
export const isOurs = (line: Line | null, terms: Terms): boolean =>
  line !== null && line.lineRef !== null && line.panel === terms.name
