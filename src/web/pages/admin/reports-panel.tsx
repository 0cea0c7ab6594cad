import { Suspense } from 'react'
import { AdminReportsSection } from '#features/reports/web/admin-reports-section.tsx'
import { pagePart } from '../../ui/hydration/page-part.ts'

const AdminIncidentsSection = pagePart(
  () => import('#features/incidents/web/admin-incidents-section.tsx'),
  'AdminIncidentsSection',
)

/** The Reports tab of the Admin Panel: what the status page shows, and the reports. */
export function ReportsPanel() {
  return (
    <>
      <Suspense>
        <AdminIncidentsSection />
      </Suspense>
      <AdminReportsSection />
    </>
  )
}
