import { useSuspenseQuery } from '@tanstack/react-query'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import type { OwnSubscription } from '../contract.ts'
import { OpenPlayer } from './player/open-player.tsx'

interface Props {
  subscription: OwnSubscription
  /** Whether the subscription has ended or ends soon, so that it can be renewed. */
  isEnding: boolean
  /** Whether the subscription is active, so that the player button is the primary action. */
  running: boolean
}

export function PlanActions({ subscription, isEnding, running }: Props) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { renewablePlanId, renewal, latestInvoiceNumber } = subscription

  return (
    <div className="mt-6 flex flex-wrap gap-2.5 max-sm:*:flex-1">
      <OpenPlayer running={running} />
      {isEnding && renewablePlanId !== null && (
        <ButtonLink
          to="/checkout"
          search={
            renewal?.planId === renewablePlanId
              ? { planId: renewablePlanId, invoiceNumber: renewal.invoiceNumber }
              : { planId: renewablePlanId }
          }
          variant={running && (site.playerUrl || site.watching) ? 'line' : undefined}
        >
          Renew Subscription
        </ButtonLink>
      )}
      {latestInvoiceNumber ? (
        <ButtonLink to="/invoice/$invoiceNumber" params={{ invoiceNumber: latestInvoiceNumber }} variant="line">
          Manage Payment
        </ButtonLink>
      ) : (
        <ButtonLink to="/invoices" variant="line">
          Manage Payment
        </ButtonLink>
      )}
    </div>
  )
}
