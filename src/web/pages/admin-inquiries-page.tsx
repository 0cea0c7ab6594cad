import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const AdminInquiriesSection = lazyRouteComponent(
  () => import('#features/inquiries/web/admin-inquiries-section.tsx'),
  'AdminInquiriesSection',
)
// Server rendering is synchronous, so the component is loaded beforehand.
if (import.meta.env.SSR) await AdminInquiriesSection.preload?.()

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
