import { randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'

/** Inserts a webhook whose stored address cannot be decrypted, and returns its id. */
export async function insertWebhook(app: TestApp): Promise<string> {
  const id = randomUUID()
  await app.database.pool.query(
    `INSERT INTO webhooks (id, type, name, sealed, kinds) VALUES ($1, 'signed', $2, 'v1:soon', '{report}')`,
    [id, `Webhook ${id.slice(0, 8)}`],
  )
  return id
}
