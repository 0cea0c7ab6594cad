import { and, eq, inArray, ne } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { lineJobs, lineMoves, lines, users } from '#server/db/tables.ts'
import { changed, notifyLines } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { type KeyOrRing, seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { ProvisioningConfig } from '../config.ts'
import { openPassword } from '../credentials.ts'
import type { LineRow } from '../entitlement.ts'
import type { Job } from '../job-store.ts'
import { savePanelState, syncAccountToLine } from '../line-store.ts'
import { panelAddressOf } from '../panel-rows/read-panels.ts'
import type { PanelLine } from '../panels/port.ts'
import { loadMove, type Move } from './load-move.ts'

/** Whether another job of this customer has made a call whose outcome is not known yet. Until it is, the line is not switched. */
export async function hasOtherCall(tx: Tx, { id, userId }: Job): Promise<boolean> {
  const [other] = await tx
    .select({ id: lineJobs.id })
    .from(lineJobs)
    .where(and(eq(lineJobs.userId, userId!), ne(lineJobs.id, id), inArray(lineJobs.state, ['sent', 'unknown'])))
    .limit(1)
  return other !== undefined
}

/**
 * Switches a customer's line to the panel of a move, in the transaction that finishes its job: the other jobs of the customer are assigned to that panel, a
 * separate job disables the line on the old panel, and the customer gets an email if the server, the username or the password changed. `line` is null for a
 * disabled line that does not exist on the new panel. The caller must have locked the customer.
 */
export async function switchLine(
  tx: Tx,
  key: KeyOrRing,
  config: ProvisioningConfig,
  job: Job,
  line: PanelLine | null,
): Promise<void> {
  const userId = job.userId!
  const move = await loadMove(tx, job)
  const [old] = await tx.select().from(lines).where(eq(lines.userId, userId)).for('update')
  if (!move || !old || old.panelId === config.id) return
  // The reference of a line that was imported or entered manually did not come from the panel, and could identify another line there.
  const oldRef = old.panel === (await panelAddressOf(tx, old.panelId)) ? old.lineRef : null
  await saveOldLine(tx, key, move, old, oldRef)
  await tx
    .update(lines)
    .set({
      panelId: config.id,
      panel: null,
      lineRef: null,
      panelEnabled: null,
      panelUntil: null,
      panelConnections: null,
    })
    .where(eq(lines.userId, userId))
  // A process that read one of these jobs before this change cannot record its call, so it makes no call on the old panel.
  await tx
    .update(lineJobs)
    .set({ panelId: config.id })
    .where(and(eq(lineJobs.userId, userId), ne(lineJobs.id, job.id), inArray(lineJobs.state, ['queued', 'rejected'])))
  if (line) await savePanelState(tx, key, config, userId, line)
  if (oldRef !== null)
    await tx.insert(lineJobs).values({
      cause: 'left',
      causeKey: `left:${move.id}:${job.id}`,
      lineRef: oldRef,
      panelId: old.panelId,
    })
  await audit(tx, {
    actorId: null,
    action: 'line.move',
    targetType: 'user',
    targetId: userId,
    before: { panel: old.panelId, line: old.username },
    after: { panel: config.id, line: line?.username ?? old.username, run: move.runId },
  })
  const [now] = await tx.select().from(lines).where(eq(lines.userId, userId))
  const isChanged = line !== null && (await updateSyncedAccount(tx, key, old, now!))
  if (isChanged) await mailLogin(tx, userId, job)
  await notifyLines(tx)
  await changed(tx, ['line_job', 'line'], { user: userId })
}

const saveOldLine = (tx: Tx, key: KeyOrRing, move: Move, old: LineRow, oldRef: string | null) =>
  tx
    .update(lineMoves)
    .set({
      state: move.isBack ? 'returned' : 'moved',
      otherRef: oldRef,
      otherUsername: old.username,
      otherPassword:
        old.password &&
        seal(key, openPassword(key, old.userId, old.password), sealedColumns.movedLinePassword.context(move.id)),
    })
    .where(eq(lineMoves.id, move.id))

/** Updates the customer's IPTV account if it was created from the old line. Returns whether the customer's login changed. */
async function updateSyncedAccount(tx: Tx, key: KeyOrRing, old: LineRow, now: LineRow): Promise<boolean> {
  const passwordOf = ({ userId, password }: LineRow) => password && openPassword(key, userId, password)
  const isOtherAccount = old.username !== now.username || passwordOf(old) !== passwordOf(now)
  const [user] = await tx
    .select({ username: users.iptvUsername, isSynced: users.iptvSynced })
    .from(users)
    .where(eq(users.id, now.userId))
  if (isOtherAccount && user!.isSynced && user!.username === old.username)
    await syncAccountToLine(tx, key, now.userId, { isNew: true })
  // A line without a reference was never shown to the customer, so no change is announced.
  return old.lineRef !== null && (isOtherAccount || (old.server ?? '') !== (now.server ?? ''))
}

async function mailLogin(tx: Tx, userId: number, job: Job): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await enqueueMail(tx, {
    dedupeKey: `line-moved:${job.id}`,
    userId,
    recipient: user!.email,
    template: 'line_moved',
    data: {},
  })
}
