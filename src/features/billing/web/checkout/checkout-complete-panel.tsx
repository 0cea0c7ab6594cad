import { useSuspenseQuery } from '@tanstack/react-query'
import { getSite } from '#features/settings/contract.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { CheckoutState } from './use-checkout.ts'

/** Step 5: paid and active. */
export function CheckoutCompletePanel({ checkout: { state, order, user } }: { checkout: CheckoutState }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const number = state.invoiceNumber ?? ''
  const end = user?.subscriptionStatus === 'active' ? user.subscriptionEndDate : null
  return (
    <Card>
      <div className="empty py-6">
        {site.brand.mascot && <Mascot tier={3} eyes={3} size={120} look={[0, -0.2]} lid={0.12} />}
        <h2>Payment confirmed</h2>
        <p>
          {order?.invoice.planName ?? 'Your subscription'} is active
          {end && (
            <>
              {' until '}
              <DateText value={end} look="long" />
            </>
          )}
          . Enjoy the show.
        </p>
        <p className="text-sm">
          Invoice <b className="num font-semibold text-fg">{number}</b> is paid in full.
        </p>
        <div className="mt-3 flex flex-wrap justify-center gap-3 max-sm:w-full max-sm:flex-col">
          <ButtonLink to="/dashboard">Go to My Account</ButtonLink>
          <ButtonLink to="/invoice/$invoiceNumber" params={{ invoiceNumber: number }} variant="line">
            View Invoice
          </ButtonLink>
        </div>
      </div>
    </Card>
  )
}
