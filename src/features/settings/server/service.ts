import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type AuditEntry, audit, changedFields } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { settings } from '#server/db/tables.ts'
import { notifyCatalog } from '#server/live/notify.ts'
import { unguarded } from '#server/session/session-guard.ts'
import { type SettingKey, type SettingValue, settingsByKey } from '../contract.ts'
import { defaults, withDefaults } from '../rules.ts'

type CachedSetting = { value: Promise<unknown>; until: number }
/** The maximum age of a cached value, in case a change notification is lost. */
const cacheMs = 60_000
// Keyed by database handle: a transaction has its own entries, so it reads its own writes and they end with it.
let cache = new WeakMap<Db | Tx, Map<SettingKey, CachedSetting>>()

/**
 * Returns a setting: the stored fields over the defaults. Throws when the stored value does not match the schema, because falling
 * back to the defaults could send payments to the wrong account.
 */
export function read<K extends SettingKey>(db: Db | Tx, key: K): Promise<SettingValue<K>> {
  const now = performance.now()
  const source = unguarded(db)
  const values = cache.get(source) ?? new Map<SettingKey, CachedSetting>()
  const known = values.get(key)
  if (known && known.until > now) return known.value as Promise<SettingValue<K>>
  const value = load(source, key)
  values.set(key, { value, until: now + cacheMs })
  value.catch(() => values.delete(key))
  cache.set(source, values)
  return value
}

/** Clears the cache, after a setting was changed in this or another process. */
export function clearCache(): void {
  cache = new WeakMap()
}

/** Replaces a setting, writes an audit entry and notifies all processes on commit. Throws ZodError when the value does not match the schema. */
export async function writeSetting<K extends SettingKey>(
  tx: Tx,
  key: K,
  value: SettingValue<K>,
  actorId: number,
  requestId?: string,
  action: AuditEntry['action'] = 'settings.update',
): Promise<void> {
  const after = z.parse(settingsByKey[key], value) as SettingValue<K>
  const before = await read(tx, key)
  const row = { value: after, updatedAt: sql`now()`, updatedBy: actorId }
  await tx
    .insert(settings)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: settings.key, set: row })
  cache.delete(tx)
  await audit(tx, {
    actorId,
    action,
    targetType: 'setting',
    targetId: key,
    ...changedFields(before, after),
    requestId,
  })
  await notifyCatalog(tx)
}

/** SQL for a stored setting as part of another query. Pass the result to `parseStored`. */
export const storedValue = (key: SettingKey) =>
  sql<unknown>`(select settings.value from settings where settings.key = ${key})`

/** Merges a stored setting over the defaults. Throws like `read`. */
export function parseStored<K extends SettingKey>(key: K, stored: unknown): SettingValue<K> {
  const parsed = z.safeParse(settingsByKey[key], withDefaults(defaults[key], stored ?? undefined))
  if (!parsed.success) throw new Error(`The stored setting ${key} needs attention: ${z.prettifyError(parsed.error)}`)
  return parsed.data as SettingValue<K>
}

async function load<K extends SettingKey>(db: Db | Tx, key: K): Promise<SettingValue<K>> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key))
  return parseStored(key, row?.value)
}
