import { eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { lineMoveRuns, lineMoves } from '#server/db/tables.ts'
import { type KeyOrRing, open, seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { Job } from '../job-store.ts'
import type { LineCredentials, PanelLine } from '../panels/port.ts'

const { context } = sealedColumns.movedLinePassword

/** The move of one line that a job makes. `isBack`: the line returns to the panel that it was on before the run. */
export type Move = typeof lineMoves.$inferSelect & { isBack: boolean; fromPanel: number; toPanel: number }

/** The move of a job; null for any other job. */
export async function loadMove(db: Db | Tx, { id, cause, panelId }: Job): Promise<Move | null> {
  if (cause !== 'move') return null
  const [found] = await db
    .select({ move: lineMoves, fromPanel: lineMoveRuns.fromPanel, toPanel: lineMoveRuns.toPanel })
    .from(lineMoves)
    .innerJoin(lineMoveRuns, eq(lineMoveRuns.id, lineMoves.runId))
    .where(eq(lineMoves.jobId, id))
  return found ? { ...found.move, ...found, isBack: panelId === found.fromPanel } : null
}

/** The credentials of the customer's other line: the one that was created on the new panel or, after the switch, the old one. Null if none are stored. */
export const otherCredentials = (key: KeyOrRing, { id, otherUsername, otherPassword }: Move): LineCredentials | null =>
  otherUsername !== null && otherPassword !== null
    ? { username: otherUsername, password: open(key, otherPassword, context(id)) }
    : null

/** Stores the reference and credentials of the line that a move created on the new panel. The customer's line is switched to it later. */
export async function saveCreatedLine(
  tx: Tx,
  key: KeyOrRing,
  job: Job,
  { lineRef, username, password }: PanelLine,
): Promise<void> {
  const move = await loadMove(tx, job)
  if (!move || password === null) return
  await tx
    .update(lineMoves)
    .set({ otherRef: lineRef, otherUsername: username, otherPassword: seal(key, password, context(move.id)) })
    .where(eq(lineMoves.id, move.id))
}
