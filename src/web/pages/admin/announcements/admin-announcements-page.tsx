import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSpinner } from '../../../shell/page-spinner.tsx'
import { AdminFrame } from '../admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const AnnouncementsSection = lazyRouteComponent(() => import('./announcements-section.tsx'), 'AnnouncementsSection')
// Server rendering is synchronous, so the component is loaded beforehand.
if (import.meta.env.SSR) await AnnouncementsSection.preload?.()

/** /admin/announcements: what the operator announces on the site and by email. */
export function AdminAnnouncementsPage() {
  return (
    <AdminFrame title="Announcements">
      <Suspense fallback={<PageSpinner />}>
        <AnnouncementsSection />
      </Suspense>
    </AdminFrame>
  )
}
