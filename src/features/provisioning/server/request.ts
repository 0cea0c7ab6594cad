import { eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { lineJobs, lines, users } from '#server/db/tables.ts'
import { changed, notifyLines } from '#server/live/notify.ts'
import { mainPanelId } from '../panel-rules.ts'
import { type DesiredState, desiredState } from '../rules.ts'
import { entitlementColumns } from './entitlement.ts'
import { panelForNewLine } from './panel-rows/read-panels.ts'

export type Cause = {
  cause: (typeof lineJobs.$inferInsert)['cause']
  /** Identifies the cause: a second request with the same key adds no job. */
  key: string
  invoiceId?: number | undefined
}

/**
 * Requests that a customer's line be brought to the state that they are entitled to. Call it in the transaction that changes the entitlement. It stores the
 * desired state and queues a job. The worker reads the entitlement again before it calls the panel, so repeated or reordered requests do no harm. Writes
 * nothing for a customer who has no line and is entitled to none.
 */
export async function requestProvisioning(tx: Tx, userId: number, { cause, key, invoiceId }: Cause): Promise<void> {
  const [entitled] = await readEntitlement(tx, { userId })
  const { now, hasLine, provisioning, ...entitlement } = entitled!
  const desired = desiredState(entitlement, now, settings.parseStored('provisioning', provisioning).graceDays)
  if (!hasLine && !desired.enabled) return
  await queueJob(tx, {
    userId,
    panelId: hasLine ? mainPanelId : await panelForNewLine(tx, desired.trial ? null : desired.planId),
    enabled: desired.enabled,
    until: desired.until,
    connections: desired.connections,
    cause,
    key,
    invoiceId: invoiceId ?? null,
  })
  await notifyLines(tx)
  await changed(tx, 'line_job')
}

const readEntitlement = statement('line_standing', (tx, { userId }: Params<{ userId: number }>) =>
  tx
    .select({
      ...entitlementColumns,
      trialUntil: lines.trialUntil,
      hasLine: sql<boolean>`${lines.id} is not null`,
      provisioning: settings.storedValue('provisioning'),
    })
    .from(users)
    .leftJoin(lines, eq(lines.userId, users.id))
    .where(eq(users.id, userId)),
)

type Request = Pick<DesiredState, 'enabled' | 'until' | 'connections'> &
  Pick<Cause, 'cause' | 'key'> & { userId: number; panelId: number; invoiceId: number | null }
/** Stores the desired state and queues a job for it, in one statement. `panelId` is used only for a new line. */
const queueJob = statement('line_goal', (db: Db | Tx, params: Params<Request>) => {
  const desired = db.$with('desired').as(
    db
      .insert(lines)
      .values({
        userId: params.userId,
        panelId: params.panelId,
        wantedEnabled: params.enabled,
        wantedUntil: params.until,
        wantedConnections: params.connections,
      })
      .onConflictDoUpdate({
        target: lines.userId,
        set: {
          wantedEnabled: sql`excluded.wanted_enabled`,
          wantedUntil: sql`excluded.wanted_until`,
          wantedConnections: sql`excluded.wanted_connections`,
        },
      }),
  )
  return db
    .with(desired)
    .insert(lineJobs)
    .values({ userId: params.userId, cause: params.cause, causeKey: params.key, invoiceId: params.invoiceId })
    .onConflictDoNothing({ target: lineJobs.causeKey })
})

/** Sets when the trial of a customer's line ends; null ends it now. Call `requestProvisioning` afterwards. */
export async function setTrialEnd(tx: Tx, userId: number, trialUntil: string | null): Promise<void> {
  if (trialUntil === null) {
    await tx
      .update(lines)
      .set({ trialUntil: sql`least(${lines.trialUntil}, now())` })
      .where(eq(lines.userId, userId))
    return
  }
  await tx
    .insert(lines)
    .values({ userId, trialUntil, panelId: await panelForNewLine(tx, null) })
    .onConflictDoUpdate({ target: lines.userId, set: { trialUntil } })
}
