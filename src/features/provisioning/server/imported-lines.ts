import { inArray, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Instant } from '#kit/dates.ts'
import type { Config } from '#server/config.ts'
import type { Tx } from '#server/db/connect.ts'
import { lines } from '#server/db/tables.ts'
import { type KeyOrRing, seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { desiredState, type Entitlement } from '../rules.ts'
import { playerServer } from './config.ts'
import { sealPassword } from './credentials.ts'
import { manualPanelId } from './manual-lines.ts'

export type ImportedLine = {
  userId: number
  username: string
  password: string
  entitlement: Pick<Entitlement, 'status' | 'endDate' | 'planId' | 'connections' | 'months'>
}

/**
 * Stores lines that already exist on the operator's panel as if an administrator had created them there, and makes each line the IPTV account of its customer.
 * No panel is called and no job is queued: the next change of the subscription finds the line on the panel by its credentials and adopts it.
 */
export async function storeImportedLines(
  tx: Tx,
  { key, config }: { key: KeyOrRing; config: Config },
  imported: ImportedLine[],
  now: Instant,
): Promise<void> {
  if (imported.length === 0) return
  const { graceDays, server } = await settings.read(tx, 'provisioning')
  const rows = imported.map(({ userId, username, password, entitlement }) => {
    const desired = desiredState({ ...entitlement, trialUntil: null }, now, graceDays)
    const { enabled, until, connections } = desired
    const own = {
      linePassword: sealPassword(key, userId, password),
      accountPassword: sealAccount(key, userId, password),
    }
    return { userId, username, enabled, until, connections, ...own }
  })
  await tx.execute(sql`
    with input as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input("userId" int, username text, enabled boolean,
          until timestamptz, connections int, "linePassword" text, "accountPassword" text)),
      synced as (
        update users u set iptv_username = input.username, iptv_password = input."accountPassword", iptv_synced = true, iptv_synced_at = now(),
          iptv_max_connections = input.connections
        from input where u.id = input."userId")
    insert into lines (user_id, panel, line_ref, username, password, server, wanted_enabled, wanted_until, wanted_connections,
      panel_enabled, panel_until, panel_connections, used_at)
    select "userId", ${manualPanelId}, username, username, "linePassword", ${playerServer(server, config)}, enabled, until, connections,
      enabled, until, connections, now() from input order by "userId"`)
}

const sealAccount = (key: KeyOrRing, userId: number, password: string): string =>
  seal(key, password, sealedColumns.iptvPassword.context(userId))

/** Deletes the imported lines of these customers. Nothing changes on the panel. */
export async function removeImportedLines(tx: Tx, userIds: number[]): Promise<void> {
  await tx.delete(lines).where(inArray(lines.userId, userIds))
}

/** Clears the IPTV accounts of these customers, which were created from imported lines. */
export async function forgetImportedLines(tx: Tx, userIds: number[]): Promise<void> {
  await tx.execute(sql`
    update users set iptv_username = null, iptv_password = null, iptv_synced = false, iptv_synced_at = null
    where id = any(${sql.param(userIds)}::int[]) and iptv_synced`)
}
