import { and, eq, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { linePanel } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { notifyAdmins } from '#server/live/notify.ts'
import { restAfter } from '../../rules.ts'
import { linePages } from '../affected-endpoints.ts'

const lease = sql`now() + make_interval(secs => ${limits.lines.turnSeconds})`

/** Takes the turn to call the panel: one process at a time, and nobody while it rests. It is anybody's again when its time is over. */
export async function takeTurn(db: Db, holder: string): Promise<boolean> {
  const isFree = or(lte(linePanel.heldUntil, sql`now()`), eq(linePanel.holder, holder))
  const taken = await db
    .update(linePanel)
    .set({ holder, heldUntil: lease })
    .where(and(isFree, lte(linePanel.restUntil, sql`now()`)))
    .returning({ id: linePanel.id })
  return taken.length > 0
}

/** Goes on with the turn, unless its time was over and somebody else has it. */
export async function keepTurn(db: Db, holder: string): Promise<boolean> {
  const kept = await db
    .update(linePanel)
    .set({ heldUntil: lease })
    .where(eq(linePanel.holder, holder))
    .returning({ id: linePanel.id })
  return kept.length > 0
}

/** Gives the turn to whoever wants it next. */
export async function endTurn(db: Db, holder: string): Promise<void> {
  await db.update(linePanel).set({ holder: null, heldUntil: sql`now()` }).where(eq(linePanel.holder, holder))
}

/** The panel did not answer, or not us: it is left alone for a while, by all processes. */
export async function rest(db: Db, holder: string, message: string): Promise<void> {
  const [row] = await db.select({ failures: linePanel.failures }).from(linePanel)
  await db
    .update(linePanel)
    .set({
      failures: sql`${linePanel.failures} + 1`,
      restUntil: sql`now() + make_interval(mins => ${restAfter(row!.failures + 1)})`,
      downSince: sql`coalesce(${linePanel.downSince}, now())`,
      lastFailure: message,
    })
    .where(eq(linePanel.holder, holder))
  await notifyAdmins(db, linePages)
}

/** It answers again. */
export async function answered(db: Db): Promise<void> {
  const back = await db
    .update(linePanel)
    .set({ failures: 0, downSince: null, lastFailure: null })
    .where(isNotNull(linePanel.downSince))
    .returning({ id: linePanel.id })
  if (back.length > 0) await notifyAdmins(db, linePages)
}

/** The settings name a panel that cannot be spoken to: whoever looks at the lines that wait has to read why. */
export async function unusable(db: Db): Promise<void> {
  const lastFailure = 'Its key cannot be opened with the keys of this app. Enter it again under Settings, Provisioning.'
  await db.update(linePanel).set({ downSince: sql`coalesce(${linePanel.downSince}, now())`, lastFailure })
  await notifyAdmins(db, linePages)
}
