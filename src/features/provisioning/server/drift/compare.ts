import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lineDrift, lineJobs, linePanel } from '#server/db/tables.ts'
import { notifyAdmins, notifyLines } from '#server/live/notify.ts'
import { differences, endAtPanel, sellsPeriods } from '../../rules.ts'
import type { Act } from '../admin-decisions.ts'
import { driftPages } from '../affected-endpoints.ts'
import type { Terms, Works } from '../config.ts'
import { everyStanding, type Standing } from '../entitlement.ts'
import { isOurs } from '../job-store.ts'
import type { PanelLine } from '../panels/adapter.ts'

type Drift = Pick<typeof lineDrift.$inferSelect, 'kind' | 'userId' | 'lineRef' | 'username' | 'ours' | 'theirs'>

/** Asks for a comparison with the panel; the worker makes it when it is its turn. */
export async function askForCheck(db: Db, act?: Act): Promise<{ asked: true }> {
  return inTransaction(db, async (tx) => {
    await tx.update(linePanel).set({ checkAskedAt: sql`now()` })
    if (act)
      await audit(tx, {
        actorId: act.admin.id,
        action: 'line.compare',
        targetType: 'line',
        targetId: 'panel',
        requestId: act.requestId,
      })
    await notifyLines(tx)
    await notifyAdmins(tx, driftPages)
    return { asked: true }
  })
}

/** Whether a comparison was asked for and is still to be made. */
export const isCheckDue = async (db: Db): Promise<boolean> =>
  (await db.select({ id: linePanel.id }).from(linePanel).where(isNotNull(linePanel.checkAskedAt))).length > 0

/**
 * Compares what we want with what the panel has, and lists where they differ; nothing is changed on either side. Lines that a job is at
 * work on are left out, and so is what an administrator left as it is, while it is the same.
 */
export async function checkLines({ db, log }: Works, terms: Terms): Promise<void> {
  const [asked] = await db.select({ at: linePanel.checkAskedAt }).from(linePanel)
  const answer = await terms.panel.listLines()
  // Read after the panel's: what was bought meanwhile has a job, and whoever has one is left out.
  const [people, open] = await Promise.all([everyStanding(db, terms.graceDays), atWork(db)])
  // Who has no line on this panel is known without its list.
  const isWithoutList = !answer.ok && answer.refusal === 'unsupported'
  const isCompared = answer.ok || isWithoutList
  const found = answer.ok
    ? compare(terms, people, answer.lines, open)
    : isWithoutList
      ? compare(terms, people, [], open).filter(({ kind }) => kind === 'no_line')
      : []
  const note = answer.ok
    ? `${answer.lines.length} lines at the panel, ${people.length} customers here.`
    : isWithoutList
      ? 'This panel does not list its lines: only customers without a line on it are found.'
      : `The last attempt to compare failed: ${answer.message}`
  if (!answer.ok && !isWithoutList) log.warn({ message: answer.message }, 'lines could not be compared with the panel')
  await inTransaction(db, async (tx) => {
    if (isCompared) {
      const kept = await tx.select().from(lineDrift).where(eq(lineDrift.kept, true))
      const still = kept.filter((row) => found.some((drift) => isSame(row, drift)))
      const ids = still.map(({ id }) => id)
      await tx
        .delete(lineDrift)
        .where(ids.length > 0 ? sql`${lineDrift.id} <> all(${sql.param(ids)}::int[])` : undefined)
      const fresh = found.filter((drift) => !still.some((row) => isSame(row, drift)))
      for (let at = 0; at < fresh.length; at += 500) await tx.insert(lineDrift).values(fresh.slice(at, at + 500))
    }
    await tx.update(linePanel).set({
      checkAskedAt: sql`case when ${linePanel.checkAskedAt} > ${asked!.at}::timestamptz + interval '1 ms' then ${linePanel.checkAskedAt} end`,
      ...(isCompared && { checkedAt: sql`now()` }),
      checkNote: note,
    })
    await notifyAdmins(tx, driftPages)
  })
}

const isSame = (one: Drift, other: Drift): boolean =>
  one.kind === other.kind &&
  one.userId === other.userId &&
  one.lineRef === other.lineRef &&
  isDeepStrictEqual(one.ours, other.ours) &&
  isDeepStrictEqual(one.theirs, other.theirs)

const atWork = async (db: Db): Promise<Set<number | null>> =>
  new Set(
    (
      await db
        .selectDistinct({ userId: lineJobs.userId })
        .from(lineJobs)
        .where(and(isNull(lineJobs.task), inArray(lineJobs.state, ['queued', 'sent', 'unknown'])))
    ).map(({ userId }) => userId),
  )

/** Where the panel's lines and our books differ. A stranger that is switched off does no harm. */
export function compare(
  terms: Terms,
  people: Standing[],
  theirs: PanelLine[],
  atWork: ReadonlySet<number | null>,
): Drift[] {
  const byRef = new Map(theirs.map((line) => [line.lineRef, line]))
  const ownRefs = new Set(people.flatMap(({ line }) => (isOurs(line, terms) ? [line!.lineRef!] : [])))
  const found = people.filter(({ userId }) => !atWork.has(userId)).flatMap((person) => ofPerson(terms, person, byRef))
  const byAccount = Map.groupBy(
    people.filter(({ synced, line }) => synced && !isOurs(line, terms)),
    ({ synced }) => synced!.username,
  )
  const strays = theirs
    .filter(({ lineRef, enabled }) => enabled && !ownRefs.has(lineRef))
    .map((line): Drift => {
      // Whom a stranger's line belongs to is said only where exactly one customer has proved to know it.
      const known = byAccount.get(line.username) ?? []
      const userId = known.length === 1 ? known[0]!.userId : null
      return { kind: 'stray', userId, lineRef: line.lineRef, username: line.username, ours: {}, theirs: factsOf(line) }
    })
  return [...found, ...strays]
}

function ofPerson(terms: Terms, { userId, line, wanted }: Standing, byRef: Map<string, PanelLine>): Drift[] {
  const { kind } = terms.panel
  const until = sellsPeriods(kind) ? wanted.until : endAtPanel(wanted, terms.graceDays)
  const ours = { enabled: wanted.enabled, until, connections: wanted.connections }
  const about = { userId, lineRef: line?.lineRef ?? null, username: line?.username ?? null, ours }
  if (!isOurs(line, terms)) return wanted.enabled ? [{ ...about, kind: 'no_line', theirs: {} }] : []
  const seen = byRef.get(line!.lineRef!)
  if (!seen) return wanted.enabled ? [{ ...about, kind: 'missing', theirs: {} }] : []
  return differences(wanted, seen, kind, terms.graceDays).map((difference) => ({
    ...about,
    kind: difference,
    theirs: factsOf(seen),
  }))
}

const factsOf = ({ enabled, expiresAt: until, connections }: PanelLine) => ({ enabled, until, connections })
