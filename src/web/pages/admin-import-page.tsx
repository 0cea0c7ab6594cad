import { ImportSection } from '#features/imports/web/import-section.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/import: customers of another system. */
export function AdminImportPage() {
  return (
    <AdminFrame title="Import">
      <ImportSection />
    </AdminFrame>
  )
}
