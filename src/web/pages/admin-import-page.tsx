import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const ImportSection = lazyRouteComponent(() => import('#features/imports/web/import-section.tsx'), 'ImportSection')
// Server rendering is synchronous, so the component is loaded beforehand.
if (import.meta.env.SSR) await ImportSection.preload?.()

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
