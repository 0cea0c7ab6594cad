import { RightsSection } from '#features/watch/web/admin/rights-section.tsx'
import { WatchingCard } from '#features/watch/web/admin/watching-card.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/watching: watching in the browser, and the register of rights. */
export function AdminWatchingPage() {
  return (
    <AdminFrame title="Watching">
      <WatchingCard />
      <RightsSection />
    </AdminFrame>
  )
}
