import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { OwnInvoices } from '#features/billing/web/invoice/own-invoices.tsx'
import { useIsHydrated } from '../../ui/hydration/use-is-hydrated.ts'
import { AccountFrame } from './account-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const OwnEarlierInvoices = lazyRouteComponent(
  () => import('#features/imports/web/own-earlier-invoices.tsx'),
  'OwnEarlierInvoices',
)

/** /invoices: all of a customer's invoices. The browser fetches the earlier invoices, which come from the system that was used before. */
export function InvoicesPage() {
  const isHydrated = useIsHydrated()
  return (
    <AccountFrame title="Your Invoices" lead="Everything you ordered, what is paid, and what is still open.">
      <OwnInvoices />
      <Suspense>{isHydrated && <OwnEarlierInvoices />}</Suspense>
    </AccountFrame>
  )
}
