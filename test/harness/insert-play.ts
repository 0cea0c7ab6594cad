import type { TestApp } from './app.ts'

let sessions = 1_000_000
/** Inserts a channel with a right, and a play of this user. Returns their ids. */
export async function insertPlay({ database }: TestApp, userId: number, marker: string) {
  const { rows } = await database.pool.query<{ rightId: number; playId: string }>(
    `WITH channel AS (INSERT INTO channels (name, category, logo, hidden) VALUES ('Watched ' || $3::int, 'news', 'mark:W', true) RETURNING id),
      granted AS (INSERT INTO channel_rights (channel_id, source, licensor, territories, valid_from, valid_until, document)
        SELECT id, $1, $1, 'US', '2026-01-01', '2026-12-31', $1 FROM channel RETURNING id),
      play AS (INSERT INTO plays (user_id, session_id, device, channel_id) SELECT $2, $3::int, $1, id FROM channel RETURNING id)
     SELECT granted.id AS "rightId", play.id AS "playId" FROM granted, play`,
    [marker, userId, sessions++],
  )
  return rows[0]!
}
