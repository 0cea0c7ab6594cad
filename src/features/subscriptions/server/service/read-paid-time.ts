import { plansById } from '#features/catalog/server/service/plans-by-id.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { PaidTime } from '../../contract.ts'
import { remainingSegments } from '../paid-time/change.ts'
import { readSequence, type Sequence } from '../sequence.ts'

/** A customer's remaining paid time in order. Adjacent segments of the same plan and connections are merged. */
export async function paidTimeOf(db: Db, userId: number): Promise<PaidTime[]> {
  return paidTimeIn(db, await readSequence(db, userId, { onlyRemaining: true }))
}

/** The same for a sequence that is already read. */
export async function paidTimeIn(db: Db | Tx, sequence: Sequence): Promise<PaidTime[]> {
  const time = remainingTime(sequence)
  const plans = await plansById(
    db,
    time.map(({ planId }) => planId),
  )
  return time.map((each) => ({ ...each, planName: plans.find(({ id }) => id === each.planId)!.name }))
}

/** The same without the names of the plans. */
export function remainingTime({ now, segments }: Sequence): Omit<PaidTime, 'planName'>[] {
  const time: Omit<PaidTime, 'planName'>[] = []
  for (const { planId, connections, startsAt, endsAt } of remainingSegments(segments, now)) {
    const last = time.at(-1)
    if (last && last.planId === planId && last.connections === connections && last.endsAt === startsAt)
      last.endsAt = endsAt
    else time.push({ planId, connections, startsAt, endsAt })
  }
  return time
}
