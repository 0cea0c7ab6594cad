import { AdminInquiriesPanel } from '#features/inquiries/web/admin-inquiries-panel.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/inquiries: the inbox of the contact form. */
export function AdminInquiriesPage() {
  return (
    <AdminFrame title="Inquiries">
      <AdminInquiriesPanel />
    </AdminFrame>
  )
}
