import { randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'

let sessions = 1_000_000
/** Inserts a channel with a right, a play of this user, and a source of the guide with an upload of one part. Returns their ids. */
export async function insertWatching(app: TestApp, userId: number, marker: string) {
  const { rows } = await app.database.pool.query<{ rightId: number; playId: string }>(
    `WITH channel AS (INSERT INTO channels (name, category, logo, hidden) VALUES ('Watched ' || $3::int, 'news', 'mark:W', true) RETURNING id),
      granted AS (INSERT INTO channel_rights (channel_id, source, licensor, territories, valid_from, valid_until, document)
        SELECT id, $1, $1, 'US', '2026-01-01', '2026-12-31', $1 FROM channel RETURNING id),
      play AS (INSERT INTO plays (user_id, session_id, device, channel_id) SELECT $2, $3::int, $1, id FROM channel RETURNING id)
     SELECT granted.id AS "rightId", play.id AS "playId" FROM granted, play`,
    [marker, userId, sessions++],
  )
  return { ...rows[0]!, ...(await insertSource(app)) }
}

async function insertSource({ database }: TestApp): Promise<{ sourceId: number; uploadId: string; part: number }> {
  const uploadId = randomUUID()
  const { rows } = await database.pool.query<{ id: number }>(
    `WITH source AS (INSERT INTO guide_sources (name, sealed) VALUES ($1, 'v2:none') RETURNING id),
      upload AS (INSERT INTO guide_uploads (id, source_id) SELECT $2, id FROM source RETURNING id),
      part AS (INSERT INTO guide_upload_parts (upload_id, part, bytes) SELECT id, 0, 'x' FROM upload)
     SELECT id FROM source`,
    [`Source ${uploadId}`, uploadId],
  )
  return { sourceId: rows[0]!.id, uploadId, part: 1 }
}
