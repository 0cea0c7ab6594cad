import type { ApiKeyScope } from '#kit/api-keys.ts'
import type { Database } from '#server/db/connect.ts'
import { newApiKey, prefixOf } from '#server/session/api-key-format.ts'
import { hashOf } from '#server/session/session.ts'

type KeyOptions = { name?: string; endsAt?: string; revoked?: boolean; lastUsedAt?: string }

/** Inserts an API key that acts for a user, without the checks of the endpoint, and returns it with its id. */
export async function insertApiKey(
  { database: { pool } }: { database: Pick<Database, 'pool'> },
  createdBy: number,
  scopes: readonly ApiKeyScope[],
  { name = 'A key', endsAt, revoked = false, lastUsedAt }: KeyOptions = {},
): Promise<{ id: number; key: string }> {
  const key = newApiKey()
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO api_keys (name, key_hash, prefix, scopes, created_by, created_at, ends_at, revoked_at, last_used_at, last_used_ip)
      VALUES ($1, $2, $3, $4, $5, now() - interval '1 day', $6, $7, $8, $9) RETURNING id`,
    [
      name,
      hashOf(key),
      prefixOf(key),
      scopes,
      createdBy,
      endsAt ?? null,
      revoked ? new Date() : null,
      lastUsedAt ?? null,
      lastUsedAt ? '127.0.0.1' : null,
    ],
  )
  return { id: rows[0]!.id, key }
}
