import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lineDrift, lineJobs, linePanel } from '#server/db/tables.ts'
import { changed, notifyLines } from '#server/live/notify.ts'
import { expiryAtPanel, findDrift, sellsPeriods } from '../../rules.ts'
import type { Actor } from '../admin-decisions.ts'
import type { ProvisioningConfig, WorkerContext } from '../config.ts'
import { loadSubscribers, type Subscriber } from '../entitlement.ts'
import { isOnPanel } from '../line-store.ts'
import { defaultPanelId } from '../panel-rows/read-panels.ts'
import type { PanelLine } from '../panels/port.ts'

type Drift = Pick<typeof lineDrift.$inferSelect, 'kind' | 'userId' | 'lineRef' | 'username' | 'ours' | 'theirs'>

/** Requests a comparison with each panel, which the worker makes. Audited if an administrator requests it. */
export async function requestComparison(db: Db, actor?: Actor): Promise<{ asked: true }> {
  return inTransaction(db, async (tx) => {
    await tx.update(linePanel).set({ checkAskedAt: sql`now()` })
    if (actor)
      await audit(tx, {
        actorId: actor.admin.id,
        action: 'line.compare',
        targetType: 'line',
        targetId: 'panel',
        requestId: actor.requestId,
      })
    await notifyLines(tx)
    await changed(tx, 'line_drift')
    return { asked: true }
  })
}

/** Whether a requested comparison with a panel has not been made yet. */
export const isComparisonDue = async (db: Db, panelId: number): Promise<boolean> =>
  (
    await db
      .select({ id: linePanel.id })
      .from(linePanel)
      .where(and(eq(linePanel.id, panelId), isNotNull(linePanel.checkAskedAt)))
  ).length > 0

/**
 * Compares the desired states of a panel's lines with that panel and stores the differences. Changes no line. Customers with an open job are left out.
 * A difference that an administrator ignored stays ignored until it changes.
 */
export async function compareWithPanel({ db, log }: WorkerContext, config: ProvisioningConfig): Promise<void> {
  const [request] = await db.select({ at: linePanel.checkAskedAt }).from(linePanel).where(eq(linePanel.id, config.id))
  const answer = await config.panel.listLines()
  // Our records are read after the panel's list: a purchase during the call has queued a job, so its customer is left out.
  const [all, busy, defaultId, moving] = await Promise.all([
    loadSubscribers(db, config.graceDays),
    customersWithOpenJobs(db),
    defaultPanelId(db),
    linesInMoves(db, config.id),
  ])
  const subscribers = all.filter(({ line }) => line === null || line.panelId === config.id)
  // A customer without a line is reported for the default panel only.
  const elsewhere = new Set(config.id === defaultId ? [] : all.flatMap(({ line, userId }) => (line ? [] : [userId])))
  // Without the panel's list, customers who have no line on this panel can still be found.
  const cannotList = !answer.ok && answer.refusal === 'unsupported'
  const isCompared = answer.ok || cannotList
  const listed = answer.ok ? answer.lines : []
  const found = (isCompared ? findAllDrift(config, subscribers, listed, busy) : []).filter(
    ({ kind, userId, lineRef, username }) =>
      (answer.ok || kind === 'no_line') &&
      !(kind === 'no_line' && elsewhere.has(userId!)) &&
      !(kind === 'stray' && (moving.has(lineRef) || moving.has(username))),
  )
  const note = answer.ok
    ? `Lines on the panel: ${answer.lines.length}. Customers with a line or a subscription: ${subscribers.length - elsewhere.size}.`
    : cannotList
      ? 'This panel cannot list its lines. Only customers without a line are found.'
      : `The last comparison failed: ${answer.message}`
  if (!isCompared) log.warn({ message: answer.message }, 'lines could not be compared with the panel')
  await inTransaction(db, async (tx) => {
    if (isCompared) {
      const ofPanel = eq(lineDrift.panelId, config.id)
      const ignored = await tx
        .select()
        .from(lineDrift)
        .where(and(ofPanel, eq(lineDrift.kept, true)))
      const unchanged = ignored.filter((row) => found.some((drift) => isSame(row, drift)))
      const ids = unchanged.map(({ id }) => id)
      await tx
        .delete(lineDrift)
        .where(and(ofPanel, ids.length > 0 ? sql`${lineDrift.id} <> all(${sql.param(ids)}::int[])` : undefined))
      const added = found.filter((drift) => !unchanged.some((row) => isSame(row, drift)))
      for (let at = 0; at < added.length; at += 500)
        await tx.insert(lineDrift).values(added.slice(at, at + 500).map((drift) => ({ ...drift, panelId: config.id })))
    }
    await tx
      .update(linePanel)
      .set({
        // A request that was made during this comparison stays open.
        checkAskedAt: sql`case when ${linePanel.checkAskedAt} > ${request!.at}::timestamptz + interval '1 ms' then ${linePanel.checkAskedAt} end`,
        ...(isCompared && { checkedAt: sql`now()` }),
        checkNote: note,
      })
      .where(eq(linePanel.id, config.id))
    await changed(tx, 'line_drift')
  })
}

const isSame = (one: Drift, other: Drift): boolean =>
  one.kind === other.kind &&
  one.userId === other.userId &&
  one.lineRef === other.lineRef &&
  isDeepStrictEqual(one.ours, other.ours) &&
  isDeepStrictEqual(one.theirs, other.theirs)

async function customersWithOpenJobs(db: Db): Promise<Set<number | null>> {
  const rows = await db
    .selectDistinct({ userId: lineJobs.userId })
    .from(lineJobs)
    .where(and(isNull(lineJobs.task), inArray(lineJobs.state, ['queued', 'sent', 'unknown'])))
  return new Set(rows.map(({ userId }) => userId))
}

/** References and usernames of lines on a panel that a move is creating or that wait to be disabled. These do not count as unknown lines. */
async function linesInMoves(db: Db, panelId: number): Promise<Set<string | null>> {
  const { rows } = await db.execute<{ name: string | null }>(sql`
    select j.line_ref as name from line_jobs j where j.panel_id = ${panelId} and j.line_ref is not null and j.state <> 'done'
    union select unnest(array[m.other_ref, l.username])
    from line_move_runs r join line_moves m on m.run_id = r.id and m.state = 'queued' join lines l on l.user_id = m.user_id
    where ${panelId} in (r.from_panel, r.to_panel) and l.panel_id <> ${panelId}`)
  return new Set(rows.flatMap(({ name }) => name ?? []))
}

/** All differences between the panel's lines and ours. Orphan lines that are disabled do no harm and are left out. */
export function findAllDrift(
  config: ProvisioningConfig,
  subscribers: Subscriber[],
  panelLines: PanelLine[],
  busy: ReadonlySet<number | null>,
): Drift[] {
  const byRef = new Map(panelLines.map((line) => [line.lineRef, line]))
  const ownRefs = new Set(subscribers.flatMap(({ line }) => (isOnPanel(line, config) ? [line!.lineRef!] : [])))
  const found = subscribers
    .filter(({ userId }) => !busy.has(userId))
    .flatMap((subscriber) => driftOfSubscriber(config, subscriber, byRef))
  const bySyncedAccount = Map.groupBy(
    subscribers.filter(({ synced, line }) => synced && !isOnPanel(line, config)),
    ({ synced }) => synced!.username,
  )
  const orphans = panelLines
    .filter(({ lineRef, enabled }) => enabled && !ownRefs.has(lineRef))
    .map((line): Drift => {
      // An orphan line can be assigned to a customer only if exactly one customer synced this account.
      const candidates = bySyncedAccount.get(line.username) ?? []
      const userId = candidates.length === 1 ? candidates[0]!.userId : null
      return { kind: 'stray', userId, lineRef: line.lineRef, username: line.username, ours: {}, theirs: factsOf(line) }
    })
  return [...found, ...orphans]
}

function driftOfSubscriber(
  config: ProvisioningConfig,
  { userId, line, desired }: Subscriber,
  byRef: Map<string, PanelLine>,
): Drift[] {
  const { kind } = config.panel
  const until = sellsPeriods(kind) ? desired.until : expiryAtPanel(desired, config.graceDays)
  const ours = { enabled: desired.enabled, until, connections: desired.connections }
  const drift = { userId, lineRef: line?.lineRef ?? null, username: line?.username ?? null, ours }
  if (!isOnPanel(line, config)) return desired.enabled ? [{ ...drift, kind: 'no_line', theirs: {} }] : []
  const actual = byRef.get(line!.lineRef!)
  if (!actual) return desired.enabled ? [{ ...drift, kind: 'missing', theirs: {} }] : []
  return findDrift(desired, actual, kind, config.graceDays).map((difference) => ({
    ...drift,
    kind: difference,
    theirs: factsOf(actual),
  }))
}

const factsOf = ({ enabled, expiresAt: until, connections }: PanelLine) => ({ enabled, until, connections })
