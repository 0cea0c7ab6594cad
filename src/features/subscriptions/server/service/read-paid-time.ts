import { inArray } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { plans } from '#server/db/tables.ts'
import type { PaidTime } from '../../contract.ts'
import { remainingSegments } from '../paid-time/change.ts'
import { readSequence, type Sequence } from '../sequence.ts'

/** A customer's remaining paid time in order. Adjacent segments of the same plan and connections are merged. */
export async function paidTimeOf(db: Db, userId: number): Promise<PaidTime[]> {
  return paidTimeIn(db, await readSequence(db, userId))
}

/** The same for a sequence that is already read. */
export async function paidTimeIn(db: Db | Tx, { now, segments }: Sequence): Promise<PaidTime[]> {
  const time: Omit<PaidTime, 'planName'>[] = []
  for (const { planId, connections, startsAt, endsAt } of remainingSegments(segments, now)) {
    const last = time.at(-1)
    if (last && last.planId === planId && last.connections === connections && last.endsAt === startsAt)
      last.endsAt = endsAt
    else time.push({ planId, connections, startsAt, endsAt })
  }
  if (time.length === 0) return []
  const names = await db
    .select({ id: plans.id, name: plans.name })
    .from(plans)
    .where(
      inArray(
        plans.id,
        time.map(({ planId }) => planId),
      ),
    )
  return time.map((each) => ({
    ...each,
    planName: names.find(({ id }) => id === each.planId)?.name ?? `Plan #${each.planId}`,
  }))
}
