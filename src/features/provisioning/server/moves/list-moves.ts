import { asc, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { panels } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import type { listMoveRuns, MovePreview, MoveRun } from '../../admin-moves-contract.ts'
import { mainPanelId } from '../../panel-rules.ts'
import { sellsPeriods } from '../../rules.ts'
import { playerServer } from '../config.ts'
import { lineCount, panelRow } from '../panel-rows/read-panels.ts'

const shownRuns = 5
const shownCustomers = 8

/** The newest runs with their progress, and the panels that lines can be moved from or to. */
export async function listMoves(db: Db): Promise<Output<typeof listMoveRuns>> {
  const [{ rows }, known, { kind }] = await Promise.all([
    db.execute<MoveRun>(sql`
      select r.id, r.state, r.direction, r.created_at as "createdAt", r.ended_at as "endedAt", u.username as by,
        jsonb_build_object('id', r.from_panel, 'name', f.name) as from, jsonb_build_object('id', r.to_panel, 'name', t.name) as to,
        counts.*
      from (select * from line_move_runs order by id desc limit ${shownRuns}) r
      join panels f on f.id = r.from_panel join panels t on t.id = r.to_panel left join users u on u.id = r.created_by
      cross join lateral (
        select count(*)::int as total, count(*) filter (where m.state = 'waiting')::int as waiting,
          count(*) filter (where m.state = 'queued' and j.task is null and j.state <> 'done')::int as underway,
          count(*) filter (where m.state = 'queued' and (j.task is not null or j.state = 'done' or j.id is null))::int as problems,
          count(*) filter (where m.state = 'moved')::int as moved, count(*) filter (where m.state = 'returned')::int as returned,
          count(*) filter (where m.state = 'skipped')::int as skipped
        from line_moves m left join line_jobs j on j.id = m.job_id and m.state = 'queued' where m.run_id = r.id) counts
      order by r.id desc`),
    db
      .select({ id: panels.id, name: panels.name, acceptsLines: panels.acceptsLines, lines: lineCount })
      .from(panels)
      .orderBy(asc(panels.id)),
    settings.read(db, 'provisioning'),
  ])
  const time = (at: string | null) => at && new Date(at).toISOString()
  return {
    panels: known.filter(({ id }) => id !== mainPanelId || kind !== 'manual'),
    runs: rows.map((row) => ({ ...row, createdAt: time(row.createdAt)!, endedAt: time(row.endedAt) })),
  }
}

/** The facts about a panel that a move needs. */
type MovePanel = {
  id: number
  kind: string
  server: string
  packages: Record<string, string>
  trialPackage: string
  acceptsLines: boolean
}

async function movePanelOf(db: Db | Tx, id: number): Promise<MovePanel> {
  const row = await panelRow(db, id)
  if (!row) return notFound('Panel not found')
  if (id !== mainPanelId) return { ...row, kind: row.kind! }
  return { ...(await settings.read(db, 'provisioning')), id, acceptsLines: row.acceptsLines }
}

/**
 * Returns both panels of a move. Throws 404 for an unknown panel, 400 if they are the same, and 409 `by_hand` for manual provisioning or `panel_closed` when
 * the new panel accepts no new lines.
 */
export async function panelsOfMove(db: Db | Tx, { from, to }: { from: number; to: number }) {
  if (from === to) return invalid('to', 'Please select another panel')
  const [source, target] = await Promise.all([movePanelOf(db, from), movePanelOf(db, to)])
  if (source.kind === 'manual' || target.kind === 'manual')
    return conflict('by_hand', 'Provisioning is manual on one of these panels, so its lines cannot be moved.')
  if (!target.acceptsLines)
    return conflict(
      'panel_closed',
      'The panel that you selected is closed for new lines. Open it in the settings first.',
    )
  return { source, target }
}

/** What moving all lines of a panel would do. Changes nothing. Throws like `panelsOfMove`. */
export async function readMovePreview(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  move: { from: number; to: number },
): Promise<MovePreview> {
  const { source, target } = await panelsOfMove(db, move)
  const ofPanel = sql`lines l join users u on u.id = l.user_id where l.panel_id = ${move.from}`
  const isTrial = sql`(l.trial_until is not null and l.wanted_until = l.trial_until)`
  const [totals, plans, customers] = await Promise.all([
    db.execute<{ lines: number; enabled: number }>(
      sql`select count(*)::int as lines, count(*) filter (where l.wanted_enabled)::int as enabled from ${ofPanel}`,
    ),
    db.execute<{ id: number | null; name: string | null; count: number }>(sql`
      select p.id, p.name, count(*)::int as count
      from (select case when ${isTrial} then null else u.plan_id end as plan_id from ${ofPanel} and l.wanted_enabled) each
      left join plans p on p.id = each.plan_id group by p.id, p.name order by count(*) desc, p.id limit 50`),
    db.execute<{ username: string }>(sql`select u.username from ${ofPanel} order by l.id limit ${shownCustomers}`),
  ])
  return {
    ...totals.rows[0]!,
    plans: plans.rows.map(({ id, name, count }) => ({
      name,
      count,
      hasPackage: (id === null ? target.trialPackage : (target.packages[String(id)] ?? '')) !== '',
    })),
    customers: customers.rows.map(({ username }) => username),
    serverChanges: playerServer(source.server, config) !== playerServer(target.server, config),
    costsCredits: sellsPeriods(target.kind),
  }
}
