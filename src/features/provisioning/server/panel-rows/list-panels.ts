import { asc, eq } from 'drizzle-orm'
import { secretSetAt } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { panels } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { PanelRow } from '../../admin-panels-contract.ts'
import { mainPanelId } from '../../panel-rules.ts'
import { lineCount, plansOfPanel } from './read-panels.ts'

const rowsOf = (db: Db | Tx) => db.select({ panel: panels, lines: lineCount, planIds: plansOfPanel }).from(panels)
type Row = Awaited<ReturnType<typeof rowsOf>>[number]

async function toPanelRow(db: Db | Tx, { panel, lines, planIds }: Row): Promise<PanelRow> {
  const { key, createdAt: _createdAt, kind, ...row } = panel
  const own = { ...row, lines, planIds, key: '', isMain: panel.id === mainPanelId }
  if (kind !== null) return { ...own, kind, keySet: key !== null }
  const [main, keySetAt] = await Promise.all([settings.read(db, 'provisioning'), secretSetAt(db, 'provisioning-key')])
  const { graceDays: _graceDays, ...connection } = main
  return { ...own, ...connection, keySet: keySetAt !== null }
}

/** Lists all panels by id, without their keys. */
export async function listPanels(db: Db): Promise<PanelRow[]> {
  const rows = await rowsOf(db).orderBy(asc(panels.id))
  return Promise.all(rows.map((row) => toPanelRow(db, row)))
}

/** Returns a panel without its key. Throws 404. */
export async function panelById(db: Db | Tx, id: number): Promise<PanelRow> {
  const [row] = await rowsOf(db).where(eq(panels.id, id))
  return row ? toPanelRow(db, row) : notFound('Panel not found')
}
