import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Data invariants of watching. */
export const invariants: Invariant[] = [
  {
    statement: 'a device plays one channel at a time',
    broken: sql`SELECT device_id AS id FROM plays WHERE ended_at IS NULL AND device_id IS NOT NULL GROUP BY device_id HAVING count(*) > 1`,
    enforcedBy: ['plays_open'],
  },
  {
    statement: 'a play belongs to the customer of its device',
    broken: sql`SELECT p.id FROM plays p JOIN devices d ON d.id = p.device_id WHERE d.user_id <> p.user_id`,
    enforcedBy: ['plays_device_id_fkey'],
  },
  {
    statement: 'a play has a reason exactly when it has ended',
    broken: sql`SELECT id FROM plays WHERE (ended_at IS NULL) <> (why IS NULL)`,
    enforcedBy: ['plays_check'],
  },
  {
    statement: 'a play of a recording names the program that it shows',
    broken: sql`SELECT id FROM plays WHERE (starts_from IS NULL) <> (program_from IS NULL) OR (starts_from IS NULL) <> (program_to IS NULL)
      OR program_to <= program_from`,
    enforcedBy: ['plays_check1', 'plays_check2'],
  },
  {
    statement: 'watching is on only after an administrator confirmed the rights',
    broken: sql`SELECT id FROM watching WHERE enabled_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM audit_log a WHERE a.action = 'watching.enable' AND a.after ->> 'statement' IS NOT NULL)`,
  },
]
