import { useSuspenseQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import type { Invoice } from '#features/billing/contract.ts'
import { statusAt } from '#features/billing/rules.ts'
import type { Plan } from '#features/catalog/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'

interface Props {
  invoices: readonly Invoice[]
  /** The plan to renew, if the subscription has ended or ends soon. */
  renew: Plan | undefined
  /** Whether the subscription is active; then the player button is the primary action. */
  running: boolean
}

export function PlanActions({ invoices, renew, running }: Props) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const now = new Date()
  const renewal = invoices.find((invoice) => invoice.renewsEnd !== null && statusAt(invoice, now) === 'draft')
  const open =
    invoices.find((invoice) => statusAt(invoice, now) === 'pending') ??
    invoices.find((invoice) => invoice.status === 'paid') ??
    invoices[0]

  return (
    <div className="mt-6 flex flex-wrap gap-2.5 max-sm:*:flex-1">
      {running && site.playerUrl && (
        <ButtonAnchor href={site.playerUrl} target="_blank" rel="noopener noreferrer">
          <Play size={18} />
          Open Player<span className="sr-only"> (opens in a new tab)</span>
        </ButtonAnchor>
      )}
      {renew && (
        <ButtonLink
          to="/checkout"
          search={
            renewal?.planId === renew.id
              ? { planId: renew.id, invoiceNumber: renewal.invoiceNumber }
              : { planId: renew.id }
          }
          variant={running && site.playerUrl ? 'line' : undefined}
        >
          Renew Subscription
        </ButtonLink>
      )}
      {open ? (
        <ButtonLink to="/invoice/$invoiceNumber" params={{ invoiceNumber: open.invoiceNumber }} variant="line">
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
