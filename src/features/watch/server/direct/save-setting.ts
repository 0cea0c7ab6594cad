import { eq, sql } from 'drizzle-orm'
import type { Input, Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plays, watching } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { ownHostsOf } from '#server/outbound/stream-address.ts'
import type { Actor } from '#server/session/actor.ts'
import type { getDirect, setDirect } from '../../admin-direct-contract.ts'
import type { DirectOutcome } from '../../direct-rules.ts'

const setting = { enabled: watching.directEnabled, hosts: watching.directHosts, version: watching.version }

/** Reads the setting of direct delivery, and how the plays of the last 24 hours were delivered. */
export async function readDirect(db: Db): Promise<Output<typeof getDirect>> {
  const count = sql<number>`count(*)::int`
  const [[row], outcomes] = await Promise.all([
    db.select(setting).from(watching),
    db
      .select({ outcome: sql<DirectOutcome>`${plays.direct}`, count })
      .from(plays)
      .where(sql`${plays.direct} is not null and ${plays.seenAt} > now() - interval '24 hours'`)
      .groupBy(plays.direct)
      .orderBy(sql`${count} desc`, plays.direct),
  ])
  return { ...row!, plays: outcomes }
}

/** Changes the setting. Throws 400 for a host of this site, and 409 `stale` if another administrator changed it. */
export async function saveDirect(
  db: Db,
  config: Config,
  { version, enabled, hosts }: Required<Input<typeof setDirect>>['body'],
  { admin, requestId }: Actor,
): Promise<Output<typeof setDirect>> {
  const own = ownHostsOf(config)
  for (const [n, host] of hosts.entries())
    if (own.has(host.includes(':') ? host : `${host}:443`))
      invalid(`hosts.${n}`, 'This host belongs to this site. Please enter a host of the panel.')
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select(setting).from(watching).for('update')
    if (before!.version !== version)
      return conflict('stale', 'Another administrator has changed these settings. Your changes were not saved.')
    const after = { enabled, hosts }
    await tx
      .update(watching)
      .set({ directEnabled: enabled, directHosts: hosts, version: version + 1 })
      .where(eq(watching.id, 1))
    await audit(tx, {
      actorId: admin.id,
      action: 'watching.direct',
      targetType: 'watching',
      targetId: 1,
      before: { enabled: before!.enabled, hosts: before!.hosts },
      after,
      requestId,
    })
    await changed(tx, 'channel_right')
    return { version: version + 1 }
  })
}
