import { and, eq, sql } from 'drizzle-orm'
import { type AuditEntry, audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { lineMoveRuns, lineMoves, lines } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed, notifyLines } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { MoveRun } from '../../admin-moves-contract.ts'
import { panelsOfMove } from './list-moves.ts'

/**
 * Starts a run that moves all lines of a panel. The worker makes the moves. Audited. Throws like `panelsOfMove`, and 409 `stale` if the number of lines is not
 * `expected`, `nothing_to_move` if the panel has no lines, or `move_running` while another run is in progress.
 */
export async function startMove(
  db: Db,
  move: { from: number; to: number; expected: number },
  actor: Actor,
): Promise<{ id: number }> {
  return oneAtATime(() =>
    inTransaction(db, async (tx) => {
      await panelsOfMove(tx, move)
      const { from, to, expected } = move
      const count = await tx.$count(lines, eq(lines.panelId, from))
      if (count !== expected)
        return conflict('stale', 'The number of lines has changed. Nothing was moved; please check it again.')
      if (count === 0) return conflict('nothing_to_move', 'This panel has no lines.')
      const [run] = await tx
        .insert(lineMoveRuns)
        .values({ fromPanel: from, toPanel: to, createdBy: actor.admin.id })
        .returning({ id: lineMoveRuns.id })
      await tx.execute(sql`
        insert into line_moves (run_id, user_id) select ${run!.id}, user_id from lines where panel_id = ${from} order by id`)
      await record(tx, 'line.move_start', run!.id, actor, { after: { from, to, lines: count } })
      return run!
    }),
  )
}

/**
 * Stops a run, continues it, or moves its lines back. Stopping withdraws the jobs that have not begun; a move that has begun is finished. Audited. Throws 404,
 * and 409 `not_possible` if the state of the run does not allow the change, `nothing_to_move` if no line has been moved, or `move_running` while another run is
 * in progress.
 */
export async function changeMove(
  db: Db,
  id: number,
  change: 'stop' | 'continue' | 'back',
  actor: Actor,
): Promise<{ state: MoveRun['state'] }> {
  return oneAtATime(() =>
    inTransaction(db, async (tx) => {
      const [run] = await tx.select().from(lineMoveRuns).where(eq(lineMoveRuns.id, id)).for('update')
      if (!run) return notFound('Run not found')
      const isPossible =
        change === 'stop'
          ? run.state === 'running'
          : change === 'continue'
            ? run.state === 'stopped'
            : run.state !== 'running' && run.direction === 'there'
      if (!isPossible) return conflict('not_possible', 'The run has changed in the meantime. Please check it again.')
      if (change === 'back') {
        const moved = and(eq(lineMoves.runId, id), eq(lineMoves.state, 'moved'))
        if ((await tx.$count(lineMoves, moved)) === 0)
          return conflict('nothing_to_move', 'No line of this run has been moved.')
      }
      const state = change === 'stop' ? ('stopped' as const) : ('running' as const)
      await tx
        .update(lineMoveRuns)
        .set({ state, endedAt: null, ...(change === 'back' && { direction: 'back' as const }) })
        .where(eq(lineMoveRuns.id, id))
      if (change === 'stop') await withdrawJobs(tx, id, run.direction)
      await record(tx, `line.move_${change}`, id, actor, { before: { state: run.state }, after: { state } })
      return { state }
    }),
  )
}

/** Deletes the queued jobs of a run that have made no call, and sets the moves of their lines back to the previous state. */
const withdrawJobs = (tx: Tx, runId: number, direction: 'there' | 'back') =>
  tx.execute(sql`
    with withdrawn as (
      delete from line_jobs j using line_moves m
      where m.run_id = ${runId} and m.state = 'queued' and j.id = m.job_id and j.state = 'queued' and j.task is null and j.steps = '[]'
      returning m.id)
    update line_moves m set state = ${direction === 'there' ? 'waiting' : 'moved'}, job_id = null
    from withdrawn where m.id = withdrawn.id`)

const keptDays = 90

/**
 * Deletes the runs that ended more than 90 days ago, with the sealed credentials of the old lines; these lines can no longer be moved back. Returns how many
 * runs.
 */
export async function forgetMoves(db: Db): Promise<number> {
  const { rowCount } = await db
    .delete(lineMoveRuns)
    .where(
      sql`${lineMoveRuns.state} <> 'running' and coalesce(${lineMoveRuns.endedAt}, ${lineMoveRuns.createdAt}) < now() - make_interval(days => ${keptDays})`,
    )
  return rowCount ?? 0
}

async function record(
  tx: Tx,
  action: AuditEntry['action'],
  targetId: number,
  { admin, requestId }: Actor,
  fields: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> {
  await audit(tx, { actorId: admin.id, action, targetType: 'line_move', targetId, ...fields, requestId })
  await notifyLines(tx)
  await changed(tx, 'line_job')
}

async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violationOf(error)?.constraint === 'one_running_move')
      return conflict('move_running', 'Another run is moving lines. Stop it first, or wait until it ends.')
    throw error
  }
}
