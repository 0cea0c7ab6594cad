import { eq, sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { settingSecrets } from '#server/db/tables.ts'
import { open, seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'

/** Secrets that settings hold, each under its name. They are sealed at rest and no answer ever contains one. */
type Name = 'provisioning-key'
const { place } = sealedColumns.settingSecret

/** The secret in the clear, null where none is set. Throws when no key of ours opens it. */
export async function readSecret(db: Db | Tx, config: Config, name: Name): Promise<string | null> {
  const [row] = await db
    .select({ sealed: settingSecrets.sealed })
    .from(settingSecrets)
    .where(eq(settingSecrets.name, name))
  return row ? open(secretKey(config), row.sealed, place(name)) : null
}

/** When the secret was set, null where none is. */
export async function secretSetAt(db: Db | Tx, name: Name): Promise<string | null> {
  const [row] = await db
    .select({ at: settingSecrets.updatedAt })
    .from(settingSecrets)
    .where(eq(settingSecrets.name, name))
  return row?.at ?? null
}

/** Takes the place of what was set; null removes it. Who does this writes the audit row. */
export async function writeSecret(tx: Tx, config: Config, name: Name, value: string | null): Promise<void> {
  if (value === null) {
    await tx.delete(settingSecrets).where(eq(settingSecrets.name, name))
    return
  }
  const row = { sealed: seal(secretKey(config), value, place(name)), updatedAt: sql`now()` }
  await tx
    .insert(settingSecrets)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: settingSecrets.name, set: row })
}
