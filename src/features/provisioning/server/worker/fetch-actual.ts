import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { open } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { Terms, Works } from '../config.ts'
import { drawPassword, openPassword, sealPassword, usernameFor } from '../credentials.ts'
import type { Standing } from '../entitlement.ts'
import { isOurs, type Job } from '../job-store.ts'
import type { PanelFailure, PanelLine } from '../panels/adapter.ts'

/** What the panel says of a line now. `gone`: it knew the line once. Credentials are those that were or will be sent. */
export type Look =
  | { kind: 'failure'; failure: PanelFailure }
  | { kind: 'found'; line: PanelLine }
  | { kind: 'none' | 'gone'; username: string; password: string }

/** Asks the panel for a customer's line, by its number or by the credentials that were drawn for it; these are kept before anything is sent. */
export async function look(works: Works, terms: Terms, userId: number, { line, synced }: Standing): Promise<Look> {
  const { panel } = terms
  if (line?.username && line.password) {
    const known = { username: line.username, password: openPassword(works.key(), userId, line.password) }
    const isKnown = isOurs(line, terms)
    const answer = await panel.getLine(isKnown ? { ...known, lineRef: line.lineRef! } : known)
    if (!answer.ok) return { kind: 'failure', failure: answer }
    return answer.line
      ? { kind: 'found', line: { ...answer.line, password: answer.line.password ?? known.password } }
      : { kind: isKnown ? 'gone' : 'none', ...known }
  }
  // A line that was made by hand and that the customer has proved to know is theirs already.
  if (synced && !(await isShared(works.db, userId, synced.username))) {
    const password = open(works.key(), synced.password, sealedColumns.iptvPassword.place(userId))
    const answer = await panel.getLine({ username: synced.username, password })
    if (!answer.ok && answer.refusal !== 'not_found') return { kind: 'failure', failure: answer }
    if (answer.ok && answer.line && !answer.line.trial && isSame(answer.line.password, password))
      return { kind: 'found', line: { ...answer.line, password } }
  }
  const drawn = { username: usernameFor(works.key(), userId), password: drawPassword() }
  await works.db
    .update(lines)
    .set({ username: drawn.username, password: sealPassword(works.key(), userId, drawn.password) })
    .where(eq(lines.userId, userId))
  const answer = await panel.getLine(drawn)
  if (!answer.ok) return { kind: 'failure', failure: answer }
  return answer.line
    ? { kind: 'found', line: { ...answer.line, password: answer.line.password ?? drawn.password } }
    : { kind: 'none', ...drawn }
}

/** The line that a job is about but that is nobody's here. */
export async function lookAtStray({ panel }: Terms, job: Job): Promise<Look> {
  const answer = await panel.getLine({ lineRef: job.lineRef! })
  if (!answer.ok) return { kind: 'failure', failure: answer }
  return answer.line ? { kind: 'found', line: answer.line } : { kind: 'gone', username: '', password: '' }
}

const isSame = (told: string | null, known: string): boolean => told === null || told === known

/** Whether somebody else here uses the same account. */
async function isShared(db: Db, userId: number, username: string): Promise<boolean> {
  const [other] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.iptvUsername, username), ne(users.id, userId)))
    .limit(1)
  const [line] = await db
    .select({ id: lines.id })
    .from(lines)
    .where(and(eq(sql`lower(${lines.username})`, username.toLowerCase()), ne(lines.userId, userId)))
    .limit(1)
  return other !== undefined || line !== undefined
}
