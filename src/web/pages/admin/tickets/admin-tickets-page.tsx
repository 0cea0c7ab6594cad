import { useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSpinner } from '../../../shell/page-spinner.tsx'
import { pagePart } from '../../../ui/hydration/page-part.ts'
import { AdminFrame } from '../admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const AdminTicketsSection = pagePart(
  () => import('#features/tickets/web/admin-tickets-section.tsx'),
  'AdminTicketsSection',
)
const OneTicket = pagePart(() => import('./one-ticket.tsx'), 'OneTicket')

/** /admin/tickets: all threads with customers and visitors. With an id it shows the messages of that ticket. */
export function AdminTicketsPage() {
  const { ticketId } = useParams({ strict: false })
  if (ticketId !== undefined)
    return (
      <Suspense fallback={<PageSpinner />}>
        <OneTicket key={ticketId} ticketId={ticketId} />
      </Suspense>
    )
  return (
    <AdminFrame title="Tickets">
      <Suspense fallback={<PageSpinner />}>
        <AdminTicketsSection />
      </Suspense>
    </AdminFrame>
  )
}
