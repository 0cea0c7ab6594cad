import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Data invariants of announcements. */
export const invariants: Invariant[] = [
  {
    statement: 'only a published announcement has recipients who are still to be emailed',
    broken: sql`SELECT a.id FROM announcements a WHERE a.state <> 'published' AND EXISTS (
      SELECT FROM announcement_recipients r WHERE r.announcement_id = a.id AND r.state = 'waiting')`,
  },
  {
    statement: 'every news email has an unsubscribe token, and no other email has one',
    broken: sql`SELECT a.id FROM announcements a JOIN announcement_recipients r ON r.announcement_id = a.id
      WHERE (r.token_hash IS NOT NULL) <> (a.kind = 'news' AND r.state = 'emailed')`,
  },
]
