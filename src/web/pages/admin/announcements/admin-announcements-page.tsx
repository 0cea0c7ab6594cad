import { Suspense } from 'react'
import { PageSpinner } from '../../../shell/page-spinner.tsx'
import { pagePart } from '../../../ui/hydration/page-part.ts'
import { AdminFrame } from '../admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const AnnouncementsSection = pagePart(() => import('./announcements-section.tsx'), 'AnnouncementsSection')

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
