import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Data invariants of incidents. */
export const invariants: Invariant[] = [
  {
    statement: 'every incident has at least one published update',
    broken: sql`SELECT i.id FROM incidents i WHERE NOT EXISTS (SELECT FROM incident_updates u WHERE u.incident_id = i.id)`,
  },
  {
    statement: 'a case of reports has at most one open incident',
    broken: sql`SELECT case_id AS id FROM incidents WHERE ended_at IS NULL AND withdrawn_at IS NULL AND case_id IS NOT NULL
      GROUP BY case_id HAVING count(*) > 1`,
    enforcedBy: ['one_open_incident'],
  },
  {
    statement: 'only maintenance has a planned end, and nothing ends before it begins',
    broken: sql`SELECT id FROM incidents WHERE (kind = 'maintenance') <> (planned_until IS NOT NULL) OR ended_at < starts_at`,
    enforcedBy: ['maintenance_is_planned', 'ends_after_its_start'],
  },
]
