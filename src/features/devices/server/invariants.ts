import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'
import { maxDevices } from '../rules.ts'

/** Data invariants of devices. */
export const invariants: Invariant[] = [
  {
    statement: `a customer has at most ${maxDevices} TVs and TV apps`,
    broken: sql`SELECT user_id AS id FROM devices WHERE ended_at IS NULL AND kind <> 'browser'
      GROUP BY user_id HAVING count(*) > ${maxDevices}`,
  },
  {
    statement: 'a session, a token and the name of a TV app belong to one device',
    broken: sql`SELECT max(id::text) AS id FROM devices WHERE ended_at IS NULL AND session_id IS NOT NULL GROUP BY session_id HAVING count(*) > 1
      UNION ALL SELECT max(id::text) FROM devices WHERE token_hash IS NOT NULL GROUP BY token_hash HAVING count(*) > 1
      UNION ALL SELECT max(id::text) FROM devices WHERE link_name IS NOT NULL GROUP BY link_name HAVING count(*) > 1`,
    enforcedBy: ['devices_session', 'devices_token', 'devices_link'],
  },
  {
    statement:
      'only browsers have a session, only TVs have a token, and exactly the TV apps have a name and a password',
    broken: sql`SELECT id FROM devices WHERE (kind <> 'browser' AND session_id IS NOT NULL) OR (kind <> 'tv' AND token_hash IS NOT NULL)
      OR (kind = 'app') <> (link_name IS NOT NULL) OR (kind = 'app') <> (link_hash IS NOT NULL)`,
    enforcedBy: ['devices_check', 'devices_check1', 'devices_check2'],
  },
]
