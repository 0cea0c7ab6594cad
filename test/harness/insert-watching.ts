import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'

let serial = 0
const nothing = { starts: 0, failures: 0, failedCustomers: 0 }
/** The stored results of a self-check by a customer without a line. */
const factsOf = (channelName: string) => ({
  at: '2026-11-25T12:00:00.000Z',
  channelName,
  account: 'expired',
  accountUntil: null,
  line: { kind: 'none', login: 'not_asked' },
  panelMs: null,
  screens: { used: 0, all: 0, playsHere: false, devices: [] },
  place: 'ok',
  others: { ...nothing, viewers: 0, reports: 0, failingSince: null },
  service: { ...nothing, failedChannels: 0 },
  probe: { result: 'skipped', detail: null, ms: null, kbps: null, codecs: null },
  relay: 'ok',
})
/**
 * Inserts a channel with a right, a play of this user on a paired TV with the token `tvToken`, the position in a recording, a self-check, and a source of the
 * guide with an upload of one part. Returns their ids.
 */
export async function insertWatching(app: TestApp, userId: number, marker: string) {
  const tvToken = randomBytes(32).toString('base64url')
  const { rows } = await app.database.pool.query<{
    rightId: number
    playId: string
    deviceId: string
    checkId: string
    ref: string
    kind: string
  }>(
    `WITH channel AS (INSERT INTO channels (name, category, logo, hidden) VALUES ('Watched ' || $3::int, 'news', 'mark:W', true) RETURNING id),
      granted AS (INSERT INTO channel_rights (channel_id, source, licensor, territories, valid_from, valid_until, document)
        SELECT id, $1, $1, 'US', '2026-01-01', '2026-12-31', $1 FROM channel RETURNING id),
      device AS (INSERT INTO devices (user_id, kind, name, token_hash, seen_at) VALUES ($2, 'tv', left($1, 24), $4, now()) RETURNING id),
      play AS (INSERT INTO plays (user_id, device, device_id, channel_id) SELECT $2, $1, device.id, channel.id FROM channel, device RETURNING id),
      watched AS (INSERT INTO watch_progress (user_id, kind, ref, position_ms, length_ms) SELECT $2, 'catchup', id || '-1795896000000', 1, 2 FROM channel),
      checked AS (INSERT INTO self_checks (user_id, device, probes, facts) VALUES ($2, 'Chrome', false, $5) RETURNING id)
     SELECT granted.id AS "rightId", play.id AS "playId", device.id AS "deviceId", checked.id AS "checkId",
        channel.id || '-1795896000000' AS ref, 'catchup' AS kind FROM granted, play, device, checked, channel`,
    [marker, userId, serial++, createHash('sha256').update(tvToken).digest(), factsOf(marker)],
  )
  return { ...rows[0]!, tvToken, ...(await insertSource(app)) }
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
