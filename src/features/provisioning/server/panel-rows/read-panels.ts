import { asc, eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { panelPlans, panels } from '#server/db/tables.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { choosePanel, mainPanelId } from '../../panel-rules.ts'

export type PanelRow = typeof panels.$inferSelect

/** The encryption context of a panel's key. */
export const sealedKeyContext = sealedColumns.panelKey.context

/** The ids of all panels, in ascending order. */
export const panelIds = async (db: Db | Tx): Promise<number[]> =>
  (await db.select({ id: panels.id }).from(panels).orderBy(asc(panels.id))).map(({ id }) => id)

/** The id of the panel that gets the new lines that no rule assigns. */
export async function defaultPanelId(db: Db | Tx): Promise<number> {
  const [row] = await db.select({ id: panels.id }).from(panels).where(eq(panels.isDefault, true))
  return row!.id
}

/** Reads a panel's row; undefined if the panel was deleted. */
export async function panelRow(db: Db | Tx, id: number): Promise<PanelRow | undefined> {
  const [row] = await db.select().from(panels).where(eq(panels.id, id))
  return row
}

/** The type and address of a panel, as `lines.panel` stores them. A line's reference is valid only on a panel with this type and address. */
export async function panelAddressOf(db: Db | Tx, id: number): Promise<string> {
  const { kind, address } = id === mainPanelId ? await settings.read(db, 'provisioning') : (await panelRow(db, id))!
  return `${kind} ${address}`
}

/** Columns for a query of `panels`: how many lines a panel has, and the ids of its plans. */
export const lineCount = sql<number>`(select count(*)::int from lines l where l.panel_id = panels.id)`
export const plansOfPanel = sql<
  number[]
>`array(select p.plan_id from ${panelPlans} p where p.panel_id = panels.id order by p.plan_id)`

/**
 * The id of the panel for a new line; `planId` is null for a trial. Call it in the transaction that inserts the line: panels with a limit stay locked until
 * that transaction ends, so that concurrent inserts cannot exceed the limit.
 */
export async function panelForNewLine(tx: Tx, planId: number | null): Promise<number> {
  const ids = await panelIds(tx)
  if (ids.length === 1) return ids[0]!
  await tx.execute(sql`select from panels where line_limit is not null order by id for no key update`)
  const choices = await tx
    .select({
      id: panels.id,
      acceptsLines: panels.acceptsLines,
      isDefault: panels.isDefault,
      lineLimit: panels.lineLimit,
      planIds: plansOfPanel,
      lines: sql<number>`case when ${panels.lineLimit} is null then 0 else ${lineCount} end`,
    })
    .from(panels)
    .orderBy(asc(panels.id))
  return choosePanel(planId, choices)
}
