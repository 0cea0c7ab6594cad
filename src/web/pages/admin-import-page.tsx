import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { pagePart } from '../ui/hydration/page-part.ts'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const ImportSection = pagePart(() => import('#features/imports/web/import-section.tsx'), 'ImportSection')

/** /admin/import: imports customers from another system. */
export function AdminImportPage() {
  return (
    <AdminFrame title="Import">
      <Suspense fallback={<PageSpinner />}>
        <ImportSection />
      </Suspense>
    </AdminFrame>
  )
}
