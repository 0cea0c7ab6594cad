import { useQuery } from '@tanstack/react-query'
import { getSite } from '#features/settings/contract.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { query } from '#web/data.ts'

/** Shown while nothing waits. The mascot sleeps. */
export function QueueEmpty({ isFiltered }: { isFiltered: boolean }) {
  const { data: site } = useQuery(query(getSite))
  return (
    <div className="empty">
      {site?.brand.mascot && <Mascot tier={1} eyes={1} size={84} lid={0.9} look={[0, 0.3]} mouth={false} />}
      <p className="empty-title">{isFiltered ? 'Nothing of this kind needs you' : 'Nothing needs you'}</p>
      <p>Payments, trials and messages appear here, the most urgent first.</p>
    </div>
  )
}
