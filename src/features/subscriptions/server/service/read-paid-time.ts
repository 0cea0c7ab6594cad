import { eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { PaidTime } from '../../contract.ts'

/** The remaining part of one segment, with its plan. */
type Part = {
  plan: { id: number; name: string; hidden: boolean }
  connections: number
  startsAt: Instant
  endsAt: Instant
}

/** For use in a statement: the remaining paid time of a customer in order, by segment. `paidTimeIn` merges these parts. */
export const remainingTime = (userId: Placeholder): SQL<Part[]> =>
  sql<
    Part[]
  >`(select coalesce(json_agg(json_build_object('plan', json_build_object('id', p.id, 'name', p.name, 'hidden', p.hidden),
      'connections', s.connections, 'startsAt', s.starts_at, 'endsAt', s.ends_at) order by s.starts_at), '[]')
    from segments s join plans p on p.id = s.plan_id
    where s.user_id = ${userId} and s.replaced_by is null and not s.withdrawn and s.ends_at > now())`.mapWith(
    (parts: Part[]) =>
      parts.map(({ startsAt, endsAt, ...part }) => ({
        ...part,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(endsAt).toISOString(),
      })),
  )

const readTime = statement('paid_time', (db, { userId }: Params<{ userId: number }>) =>
  db
    .select({ time: remainingTime(userId) })
    .from(users)
    .where(eq(users.id, userId)),
)

/** Returns a customer's remaining paid time in order. Throws 404 for an unknown user. */
export async function paidTimeOf(db: Db | Tx, userId: number): Promise<PaidTime[]> {
  const [row] = await readTime(db, { userId })
  return row ? paidTimeIn(row.time) : notFound('User not found')
}

/** Merges adjacent parts with the same plan and connections. */
export function paidTimeIn(parts: Part[]): PaidTime[] {
  const time: PaidTime[] = []
  for (const { plan, connections, startsAt, endsAt } of parts) {
    const last = time.at(-1)
    if (last && last.planId === plan.id && last.connections === connections && last.endsAt === startsAt)
      last.endsAt = endsAt
    else time.push({ planId: plan.id, planName: plan.name, connections, startsAt, endsAt })
  }
  return time
}
