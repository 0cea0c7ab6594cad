import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded after this page, so that the first script of every visitor does not list what it needs.
const ImportSection = lazyRouteComponent(() => import('#features/imports/web/import-section.tsx'), 'ImportSection')
// Server rendering is synchronous, so the component is loaded before.
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
