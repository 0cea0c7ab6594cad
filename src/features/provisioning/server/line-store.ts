import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { type KeyOrRing, seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { ProvisioningConfig } from './config.ts'
import { generatePassword, openPassword, sealPassword, usernameFor } from './credentials.ts'
import type { LineRow } from './entitlement.ts'
import type { LineCredentials, PanelLine } from './panels/port.ts'

/** Whether the line has a reference on the configured panel. */
export const isOnPanel = (line: LineRow | null, { panelId }: Pick<ProvisioningConfig, 'panelId'>): boolean =>
  line !== null && line.lineRef !== null && line.panel === panelId

/** Stores new credentials for a customer's line. They are stored before the panel is called, so a crash cannot lose them. */
export async function reserveCredentials(db: Db, key: KeyOrRing, userId: number): Promise<LineCredentials> {
  const credentials = { username: usernameFor(key, userId), password: generatePassword() }
  await db
    .update(lines)
    .set({ username: credentials.username, password: sealPassword(key, userId, credentials.password) })
    .where(eq(lines.userId, userId))
  return credentials
}

/** Stores the state that the panel reported, with the line's reference. A password that was changed in the panel replaces ours. */
export async function savePanelState(
  tx: Tx,
  key: KeyOrRing,
  { panelId, server }: Pick<ProvisioningConfig, 'panelId' | 'server'>,
  userId: number,
  reported: PanelLine,
): Promise<void> {
  const [line] = await tx.select().from(lines).where(eq(lines.userId, userId))
  const hasNewPassword =
    reported.password !== null &&
    (line!.password === null || openPassword(key, userId, line!.password) !== reported.password)
  await tx
    .update(lines)
    .set({
      panel: panelId,
      lineRef: reported.lineRef,
      server,
      username: reported.username,
      ...(hasNewPassword && { password: sealPassword(key, userId, reported.password!) }),
      panelEnabled: reported.enabled,
      panelUntil: reported.expiresAt,
      panelConnections: reported.connections,
      seenAt: sql`now()`,
    })
    .where(eq(lines.userId, userId))
  await changed(tx, 'line', { user: userId })
}

/**
 * Makes a line the IPTV account of its customer, as if they had synced it. An account that the customer synced before is replaced only
 * when the line `isNew`. Audited; `actorId` is null for the worker.
 */
export async function syncAccountToLine(
  tx: Tx,
  key: KeyOrRing,
  userId: number,
  { isNew = false, actorId = null }: { isNew?: boolean; actorId?: number | null } = {},
): Promise<void> {
  const [line] = await tx.select().from(lines).where(eq(lines.userId, userId))
  const password = seal(key, openPassword(key, userId, line!.password!), sealedColumns.iptvPassword.context(userId))
  const account = { iptvUsername: line!.username, iptvSynced: true, iptvMaxConnections: line!.wantedConnections }
  const [before] = await tx
    .select({ iptvUsername: users.iptvUsername, iptvSynced: users.iptvSynced })
    .from(users)
    .where(eq(users.id, userId))
  if (!isNew && before!.iptvSynced) return
  await tx
    .update(users)
    .set({ ...account, iptvPassword: password, iptvSyncedAt: sql`now()` })
    .where(eq(users.id, userId))
  await audit(tx, { actorId, action: 'iptv.sync', targetType: 'user', targetId: userId, before, after: account })
  await changed(tx, 'iptv_account', { user: userId })
}

/** Queues the email that a new line is ready, once per customer. */
export async function mailLineReady(tx: Tx, userId: number): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await enqueueMail(tx, {
    dedupeKey: `line-ready:${userId}`,
    userId,
    recipient: user!.email,
    template: 'line_ready',
    data: {},
  })
}
