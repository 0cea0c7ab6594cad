import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { lineDrift, linePanel, panels, users } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import {
  type countRepairableDrift,
  type LineDrift,
  type LineDriftList,
  type RepairableKind,
  repairableKind,
} from '../../admin-drift-contract.ts'
import { canApplyPanelState, sellsPeriods } from '../../rules.ts'

const maxListed = 200
const maxCustomers = 8

/** The condition for open differences of these kinds, on one panel or, without `panelId`, on all. */
export const openDrift = (kinds: readonly RepairableKind[], panelId?: number) =>
  and(
    sql`not ${lineDrift.kept}`,
    inArray(lineDrift.kind, [...kinds]),
    panelId === undefined ? undefined : eq(lineDrift.panelId, panelId),
  )

/** At most 200 differences of the last comparison, by kind and within a kind the newest first. Ignored ones are only counted. */
export async function listDrift(db: Db): Promise<LineDriftList> {
  const [states, rows, [total]] = await Promise.all([
    db
      .select({
        name: panels.name,
        checkedAt: linePanel.checkedAt,
        askedAt: linePanel.checkAskedAt,
        note: linePanel.checkNote,
      })
      .from(linePanel)
      .innerJoin(panels, eq(panels.id, linePanel.id))
      .orderBy(asc(panels.id)),
    db
      .select({ drift: lineDrift, customer: users.username, panel: panels.name })
      .from(lineDrift)
      .innerJoin(panels, eq(panels.id, lineDrift.panelId))
      .leftJoin(users, eq(users.id, lineDrift.userId))
      .where(eq(lineDrift.kept, false))
      .orderBy(lineDrift.kind, desc(lineDrift.id))
      .limit(maxListed),
    db
      .select({
        open: sql<number>`count(*) filter (where not kept)::int`,
        kept: sql<number>`count(*) filter (where kept)::int`,
      })
      .from(lineDrift),
  ])
  return {
    ...summaryOf(states),
    ...total!,
    rows: rows.map(
      ({ drift, customer, panel }): LineDrift => ({
        ...drift,
        customer,
        panelName: states.length > 1 ? panel : null,
        canTakeTheirs: canApplyPanelState(drift),
      }),
    ),
  }
}

type Comparison = { name: string; checkedAt: string | null; askedAt: string | null; note: string | null }
/** The last comparisons of all panels combined: the time of the newest comparison, the time of the oldest open request, and the notes of all panels. */
function summaryOf(states: Comparison[]): Omit<Comparison, 'name'> {
  const notes = states.flatMap(({ name, note }) => (note ? [states.length > 1 ? `${name}: ${note}` : note] : []))
  return {
    checkedAt: times(states.map(({ checkedAt }) => checkedAt)).at(-1) ?? null,
    askedAt: times(states.map(({ askedAt }) => askedAt))[0] ?? null,
    note: notes.length > 0 ? notes.join(' ') : null,
  }
}
const times = (instants: (string | null)[]): string[] => instants.filter((at) => at !== null).sort()

/** What `repairAll` would do: how many differences of each kind, for which customers, and whether it costs credits. */
export async function countRepairable(db: Db, panelId?: number): Promise<Output<typeof countRepairableDrift>> {
  const isRepairable = openDrift(repairableKind.options, panelId)
  const [counts, customers, affected, { kind: mainKind }] = await Promise.all([
    db
      .select({ kind: lineDrift.kind, count: sql<number>`count(*)::int` })
      .from(lineDrift)
      .where(isRepairable)
      .groupBy(lineDrift.kind)
      .orderBy(lineDrift.kind),
    db
      .selectDistinct({ username: users.username })
      .from(lineDrift)
      .innerJoin(users, eq(users.id, lineDrift.userId))
      .where(isRepairable)
      .orderBy(asc(users.username))
      .limit(maxCustomers),
    db
      .select({ id: panels.id, name: panels.name, kind: panels.kind })
      .from(panels)
      .where(
        sql`exists (select from line_drift d where d.panel_id = ${panels.id} and not d.kept and d.kind <> 'stray')`,
      )
      .orderBy(asc(panels.id)),
    settings.read(db, 'provisioning'),
  ])
  const chosen = affected.filter(({ id }) => panelId === undefined || id === panelId)
  return {
    counts: counts as { kind: RepairableKind; count: number }[],
    customers: customers.map(({ username }) => username),
    most: limits.lines.repairBatch,
    costsCredits: chosen.some(({ kind }) => sellsPeriods(kind ?? mainKind)),
    panels: affected.map(({ id, name }) => ({ id, name })),
  }
}
