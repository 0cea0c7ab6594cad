import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded after this page, so that the first script of every visitor does not list what it needs.
const WatchingCard = lazyRouteComponent(() => import('#features/watch/web/admin/watching-card.tsx'), 'WatchingCard')
const RightsSection = lazyRouteComponent(() => import('#features/watch/web/admin/rights-section.tsx'), 'RightsSection')
// Server rendering is synchronous, so the components are loaded before.
if (import.meta.env.SSR) await Promise.all([WatchingCard.preload?.(), RightsSection.preload?.()])

/** /admin/watching: watching in the browser, and the register of rights. */
export function AdminWatchingPage() {
  return (
    <AdminFrame title="Watching">
      <Suspense fallback={<PageSpinner />}>
        <WatchingCard />
        <RightsSection />
      </Suspense>
    </AdminFrame>
  )
}
