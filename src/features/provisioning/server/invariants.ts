import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Data invariants of panels and of moves between them. */
export const invariants: Invariant[] = [
  {
    statement: 'exactly one panel gets the new lines that no rule assigns',
    broken: sql`SELECT count(*)::int AS panels FROM panels WHERE is_default HAVING count(*) <> 1`,
    enforcedBy: ['one_default_panel'],
  },
  {
    statement: 'a job for a line without a customer names its panel',
    broken: sql`SELECT id FROM line_jobs WHERE user_id IS NULL AND panel_id IS NULL`,
    enforcedBy: ['orphan_line_has_a_panel'],
  },
  {
    statement: 'the job of every completed line move is done',
    broken: sql`SELECT m.id FROM line_moves m JOIN line_jobs j ON j.id = m.job_id WHERE m.state IN ('moved', 'returned') AND j.state <> 'done'`,
  },
]
