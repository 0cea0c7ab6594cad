import { eq, sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { settingSecrets } from '#server/db/tables.ts'
import { open, seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'

/** The secrets of settings by name. They are encrypted at rest and never part of a response. */
type Name =
  | 'provisioning-key'
  | 'mailbox-password'
  | 'mailbox-client-secret'
  | 'mailbox-refresh-token'
  | 'mailbox-connect'
  | 'mail-password'
  | 'btcpay-key'
const { context } = sealedColumns.settingSecret

/** Returns the decrypted secret, or null when none is set. Throws when no configured key can decrypt it. */
export async function readSecret(db: Db | Tx, config: Config, name: Name): Promise<string | null> {
  const [row] = await db
    .select({ sealed: settingSecrets.sealed })
    .from(settingSecrets)
    .where(eq(settingSecrets.name, name))
  return row ? open(secretKey(config), row.sealed, context(name)) : null
}

/** Returns the time at which the secret was set, or null when none is set. */
export async function secretSetAt(db: Db | Tx, name: Name): Promise<string | null> {
  const [row] = await db
    .select({ at: settingSecrets.updatedAt })
    .from(settingSecrets)
    .where(eq(settingSecrets.name, name))
  return row?.at ?? null
}

/** Replaces the secret; null removes it. The caller writes the audit entry. */
export async function writeSecret(tx: Tx, config: Config, name: Name, value: string | null): Promise<void> {
  if (value === null) {
    await tx.delete(settingSecrets).where(eq(settingSecrets.name, name))
    return
  }
  const row = { sealed: seal(secretKey(config), value, context(name)), updatedAt: sql`now()` }
  await tx
    .insert(settingSecrets)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: settingSecrets.name, set: row })
}
