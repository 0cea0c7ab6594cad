import { type SQL, sql } from 'drizzle-orm'
import type { ChannelCategory } from '#features/catalog/contract.ts'
import { categoryName } from '#features/catalog/rules.ts'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { notFound } from '#server/errors.ts'
import { type AdminIncident, oldIncidentsShown } from '../../admin-contract.ts'
import { endedShown, type Incident, type IncidentKind, type ServiceStatus, statusDays } from '../../contract.ts'
import { daysUntil, worstOf } from '../../rules.ts'

type Row = {
  id: number
  kind: IncidentKind
  title: string
  starts: string
  planned: string | null
  ended: string | null
  withdrawn: string | null
  version: number
  caseId: number | null
  caseTitle: string | null
  waiting: number
  targets: { scope: 'category' | 'channel'; name: string }[]
  updates: { at: string; text: string }[]
}

/** Selects incidents (alias `i`) that meet a condition, with their targets and updates. `more` contains additional columns. */
const select = (more: SQL, where: SQL, order: SQL, limit: number) => sql`
  select i.id, i.kind, i.title, i.starts_at as starts, i.planned_until as planned, i.ended_at as ended, ${more}
    (select coalesce(jsonb_agg(jsonb_build_object('scope', t.scope, 'name', t.name) order by t.scope, t.name), '[]')
      from incident_targets t where t.incident_id = i.id) as targets,
    (select coalesce(jsonb_agg(jsonb_build_object('at', u.created_at, 'text', u.body) order by u.id desc), '[]')
      from incident_updates u where u.incident_id = i.id) as updates
  from incidents i where ${where} order by ${order} limit ${limit}`

const publicColumns = sql``
const adminColumns = sql`i.withdrawn_at as withdrawn, i.version, i.case_id as "caseId",
  (select c.title from report_cases c where c.id = i.case_id) as "caseTitle",
  (select count(*)::int from reports r where r.case_id = i.case_id and r.status in ('pending', 'reviewing')) as waiting,`

const isoOf = (value: string): Instant => new Date(value).toISOString()
const isoOrNull = (value: string | null): Instant | null => (value === null ? null : isoOf(value))

const viewOf = ({ id, kind, title, starts, planned, ended, targets, updates }: Row): Incident => ({
  id,
  kind,
  title,
  startsAt: isoOf(starts),
  plannedUntil: isoOrNull(planned),
  endedAt: isoOrNull(ended),
  affected: targets.map(({ scope, name }) => ({
    isGroup: scope === 'category',
    name: scope === 'category' ? categoryName(name as ChannelCategory) : name,
  })),
  updates: updates.map(({ at, text }) => ({ at: isoOf(at), text })),
})

const isOpen = sql`i.ended_at is null and i.withdrawn_at is null`
/** The maximum number of open incidents that are shown. */
const openShown = 100

/** Returns the content of the status page. */
export async function readStatus(db: Db): Promise<ServiceStatus> {
  const [open, ended, clock] = await Promise.all([
    db.execute<Row>(select(publicColumns, isOpen, sql`i.starts_at, i.id`, openShown)),
    db.execute<Row>(
      select(
        publicColumns,
        sql`i.ended_at > now() - make_interval(days => ${statusDays})`,
        sql`i.ended_at desc, i.id desc`,
        endedShown,
      ),
    ),
    db.execute<{ now: string }>(sql`select now() as now`),
  ])
  const now = new Date(clock.rows[0]!.now)
  const views = open.rows.map(viewOf)
  const running = views.filter(({ startsAt }) => Date.parse(startsAt) <= now.getTime())
  const past = ended.rows.map(viewOf)
  const state = worstOf(running)
  return {
    state,
    open: [
      ...running.filter(({ kind }) => kind === 'outage'),
      ...running.filter(({ kind }) => kind === 'problem'),
      ...running.filter(({ kind }) => kind === 'maintenance'),
    ],
    planned: views.filter((each) => !running.includes(each)),
    ended: past,
    days: daysUntil(now, [...running, ...past], statusDays),
  }
}

const adminView = (row: Row): AdminIncident => ({
  ...viewOf(row),
  version: row.version,
  withdrawnAt: isoOrNull(row.withdrawn),
  caseId: row.caseId,
  caseTitle: row.caseTitle,
  waiting: row.waiting,
})

/** Returns the incidents for administrators: open incidents sorted by their start, then the newest ended or withdrawn ones. */
export async function listIncidents(db: Db): Promise<AdminIncident[]> {
  const [open, others] = await Promise.all([
    db.execute<Row>(select(adminColumns, isOpen, sql`i.starts_at, i.id`, openShown)),
    db.execute<Row>(select(adminColumns, sql`not (${isOpen})`, sql`i.id desc`, oldIncidentsShown)),
  ])
  return [...open.rows, ...others.rows].map(adminView)
}

/** Returns an incident for administrators. Throws 404. */
export async function readIncident(db: Db | Tx, id: number): Promise<AdminIncident> {
  const { rows } = await db.execute<Row>(select(adminColumns, sql`i.id = ${id}`, sql`i.id`, 1))
  return rows[0] ? adminView(rows[0]) : notFound('Incident not found')
}
