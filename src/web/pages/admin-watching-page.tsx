import { CheckOutcomesSection } from '#features/self-check/web/admin/check-outcomes-section.tsx'
import { ChannelHealthSection } from '#features/watch/web/admin/channel-health-section.tsx'
import { DirectSection } from '#features/watch/web/admin/direct-section.tsx'
import { PlaysSection } from '#features/watch/web/admin/plays-section.tsx'
import { RightsSection } from '#features/watch/web/admin/rights-section.tsx'
import { WatchingCard } from '#features/watch/web/admin/watching-card.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/watching: watching in the browser, direct delivery, what plays now, which channels fail, the results of self-checks, and the register of rights. */
export function AdminWatchingPage() {
  return (
    <AdminFrame title="Watching">
      <WatchingCard />
      <DirectSection />
      <PlaysSection />
      <ChannelHealthSection />
      <CheckOutcomesSection />
      <RightsSection />
    </AdminFrame>
  )
}
