import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { pagePart } from '../ui/hydration/page-part.ts'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const AdminInquiriesSection = pagePart(
  () => import('#features/inquiries/web/admin-inquiries-section.tsx'),
  'AdminInquiriesSection',
)

/** /admin/inquiries: the inbox of the contact form. */
export function AdminInquiriesPage() {
  return (
    <AdminFrame title="Inquiries">
      <Suspense fallback={<PageSpinner />}>
        <AdminInquiriesSection />
      </Suspense>
    </AdminFrame>
  )
}
