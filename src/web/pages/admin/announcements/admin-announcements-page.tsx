import { AdminFrame } from '../admin-frame.tsx'
import { AnnouncementsSection } from './announcements-section.tsx'

/** /admin/announcements: what the operator announces on the site and by email. */
export function AdminAnnouncementsPage() {
  return (
    <AdminFrame title="Announcements">
      <AnnouncementsSection />
    </AdminFrame>
  )
}
