import { randomBytes, randomUUID } from 'node:crypto'
import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { webhookSecrets } from '#server/db/tables.ts'
import { open, seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'

/** Stores a new current secret for a webhook and returns it: `whsec_` and 32 random bytes in base64. */
export async function insertSecret(tx: Tx, config: Config, webhookId: string): Promise<string> {
  const id = randomUUID()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await tx
    .insert(webhookSecrets)
    .values({ id, webhookId, sealed: seal(secretKey(config), secret, sealedColumns.webhookSecret.context(id)) })
  return secret
}

/** Returns the secrets of a webhook that have not expired, the current one first. Secrets that cannot be decrypted are left out. */
export async function readSecrets(db: Db, config: Config, webhookId: string): Promise<string[]> {
  const rows = await db
    .select({ id: webhookSecrets.id, sealed: webhookSecrets.sealed })
    .from(webhookSecrets)
    .where(
      and(
        eq(webhookSecrets.webhookId, webhookId),
        or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, sql`now()`)),
      ),
    )
    .orderBy(desc(webhookSecrets.createdAt))
  return rows.flatMap(({ id, sealed }) => {
    try {
      return [open(secretKey(config), sealed, sealedColumns.webhookSecret.context(id))]
    } catch {
      return []
    }
  })
}
