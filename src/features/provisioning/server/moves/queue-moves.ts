import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'

type Run = { id: number; direction: 'there' | 'back'; source: number }

/**
 * Queues the next jobs of the run that moves lines to this panel, so that at most `limits.lines.maxOpenMoves` are open. Ends the run when nothing is left to
 * queue and none of its jobs is open; a job that waits for an administrator does not count as open. Returns how many jobs were queued.
 */
export async function queueMoves(db: Db, panelId: number): Promise<number> {
  const target = sql`(direction = 'there' and to_panel = ${panelId} or direction = 'back' and from_panel = ${panelId})`
  const { rows: running } = await db.execute(sql`select from line_move_runs where state = 'running' and ${target}`)
  if (running.length === 0) return 0
  return inTransaction(db, async (tx) => {
    const { rows: runs } = await tx.execute<Run>(sql`
      select id, direction, case direction when 'there' then from_panel else to_panel end as source
      from line_move_runs where state = 'running' and ${target} for update`)
    const run = runs[0]
    if (!run) return 0
    const { rows: open } = await tx.execute<{ count: number }>(sql`
      select count(*)::int from line_moves m join line_jobs j on j.id = m.job_id
      where m.run_id = ${run.id} and m.state = 'queued' and j.task is null and j.state in ('queued', 'sent', 'unknown')`)
    const room = limits.lines.maxOpenMoves - open[0]!.count
    if (room <= 0) return 0
    const waiting = run.direction === 'there' ? 'waiting' : 'moved'
    const { rowCount } = await tx.execute(sql`
      with picked as (
          select m.id, m.user_id, 'move:' || m.id || ':' || ${run.direction}::text as cause_key
          from line_moves m join lines l on l.user_id = m.user_id
          where m.run_id = ${run.id} and m.state = ${waiting} and l.panel_id = ${run.source} order by m.id limit ${room}),
        jobs as (
          insert into line_jobs (user_id, cause, cause_key, panel_id)
          select user_id, 'move', cause_key, ${panelId}::int from picked order by id
          returning id, cause_key)
      update line_moves m set state = 'queued', job_id = jobs.id
      from picked join jobs on jobs.cause_key = picked.cause_key where m.id = picked.id`)
    const queued = rowCount ?? 0
    if (queued === 0 && open[0]!.count === 0) {
      // The remaining lines cannot be moved: they are now on another panel or no longer exist.
      if (run.direction === 'there')
        await tx.execute(sql`update line_moves set state = 'skipped' where run_id = ${run.id} and state = 'waiting'`)
      await tx.execute(sql`update line_move_runs set state = 'done', ended_at = now() where id = ${run.id}`)
    }
    await changed(tx, 'line_job')
    return queued
  })
}
