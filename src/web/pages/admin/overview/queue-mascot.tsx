import { useQuery } from '@tanstack/react-query'
import type { Queue } from '#features/desk/admin-queue-contract.ts'
import { groupOf } from '#features/desk/queue-rules.ts'
import { getSite } from '#features/settings/contract.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { query } from '#web/data.ts'

/** The mascot above the queue: its eyes are open while something is late. */
export function QueueMascot({ queue: { items, now } }: { queue: Queue }) {
  const { data: site } = useQuery(query(getSite))
  if (!site?.brand.mascot || items.length === 0) return null
  const isLate = groupOf(items[0]!, new Date(now)) === 'late'
  return (
    <div className="queue-mascot" aria-hidden="true">
      <Mascot tier={3} eyes={3} size={44} look={[-0.2, 0.35]} mouth={false} lid={isLate ? 0 : 0.6} />
    </div>
  )
}
