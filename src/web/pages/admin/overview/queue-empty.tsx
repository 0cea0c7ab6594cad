import { useQuery } from '@tanstack/react-query'
import { getSite } from '#features/settings/contract.ts'
import { SleepingMascot } from '#web/brand/sleeping-mascot.tsx'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { useSetup } from './use-setup.ts'

/** Shown while no work is waiting, with the sleeping mascot. On a new installation, a button leads to a first order. */
export function QueueEmpty({ isFiltered }: { isFiltered: boolean }) {
  const { data: site } = useQuery(query(getSite))
  const { setup } = useSetup()
  // While setup steps are open, something does need the administrator's attention.
  const title = setup ? 'Nothing is waiting' : 'Nothing needs your attention'
  return (
    <div className="empty">
      {site?.brand.mascot && <SleepingMascot size={84} />}
      <p className="empty-title">{isFiltered ? 'No items of this kind need your attention' : title}</p>
      <p>Payments, trials and messages appear here, the most urgent first.</p>
      {setup?.isNew && (
        <ButtonLink to="/pricing" variant="line" size="sm" className="mt-1">
          Place a Test Order
        </ButtonLink>
      )}
    </div>
  )
}
