import { ImportSection } from '#features/imports/web/import-section.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/import: imports customers from another system. */
export function AdminImportPage() {
  return (
    <AdminFrame title="Import">
      <ImportSection />
    </AdminFrame>
  )
}
