import { AdminInquiriesSection } from '#features/inquiries/web/admin-inquiries-section.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/inquiries: the inbox of the contact form. */
export function AdminInquiriesPage() {
  return (
    <AdminFrame title="Inquiries">
      <AdminInquiriesSection />
    </AdminFrame>
  )
}
