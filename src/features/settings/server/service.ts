import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit, changes } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { settings } from '#server/db/tables.ts'
import { notifyCatalogue } from '#server/live/notify.ts'
import { unguarded } from '#server/session/session-guard.ts'
import { type SettingKey, type SettingValue, settingsByKey } from '../contract.ts'
import { defaults, withDefaults } from '../rules.ts'

type Remembered = { value: Promise<unknown>; until: number }
/** A notification may be lost on its way; after this long a value is read again in any case. */
const rememberedMs = 60_000
// By database: within a transaction the key is the transaction itself, so its own writes are read and nothing outlives it.
let remembered = new WeakMap<Db | Tx, Map<SettingKey, Remembered>>()

/**
 * One setting, the stored fields over the defaults. Throws when what is stored does not fit the schema: falling back to the
 * defaults could send a customer's payment to somebody else's account.
 */
export function read<K extends SettingKey>(db: Db | Tx, key: K): Promise<SettingValue<K>> {
  const now = performance.now()
  const source = unguarded(db)
  const values = remembered.get(source) ?? new Map<SettingKey, Remembered>()
  const known = values.get(key)
  if (known && known.until > now) return known.value as Promise<SettingValue<K>>
  const value = load(source, key)
  values.set(key, { value, until: now + rememberedMs })
  value.catch(() => values.delete(key))
  remembered.set(source, values)
  return value
}

/** Forgets everything read so far: somebody changed a setting, here or in another process. */
export function forget(): void {
  remembered = new WeakMap()
}

/** Replaces one setting, notes who did it and tells every process at the commit. Throws ZodError when the value does not fit. */
export async function write<K extends SettingKey>(
  tx: Tx,
  key: K,
  value: SettingValue<K>,
  actorId: number,
  requestId?: string,
): Promise<void> {
  const after = z.parse(settingsByKey[key], value) as SettingValue<K>
  const before = await read(tx, key)
  const row = { value: after, updatedAt: sql`now()`, updatedBy: actorId }
  await tx
    .insert(settings)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: settings.key, set: row })
  remembered.delete(tx)
  await audit(tx, {
    actorId,
    action: 'settings.update',
    targetType: 'setting',
    targetId: key,
    ...changes(before, after),
    requestId,
  })
  await notifyCatalogue(tx)
}

/** A setting as the table holds it, within a query that reads something else in the same moment; `meaningOf` says what it means. */
export const storedValue = (key: SettingKey) =>
  sql<unknown>`(select settings.value from settings where settings.key = ${key})`

/** The stored fields over the defaults. Throws like `read`. */
export function meaningOf<K extends SettingKey>(key: K, stored: unknown): SettingValue<K> {
  const parsed = z.safeParse(settingsByKey[key], withDefaults(defaults[key], stored ?? undefined))
  if (!parsed.success) throw new Error(`The stored setting ${key} needs attention: ${z.prettifyError(parsed.error)}`)
  return parsed.data as SettingValue<K>
}

async function load<K extends SettingKey>(db: Db | Tx, key: K): Promise<SettingValue<K>> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key))
  return meaningOf(key, row?.value)
}
