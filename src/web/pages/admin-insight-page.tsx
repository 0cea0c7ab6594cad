import { InsightSection } from '#features/insight/web/insight-section.tsx'
import chartSheet from '#web/styles/charts/charts.css?url'
import { AdminFrame } from './admin/admin-frame.tsx'

/** The business figures. */
export function AdminInsightPage() {
  return (
    <AdminFrame title="Insight">
      <link rel="stylesheet" href={chartSheet} precedence="page" />
      <InsightSection />
    </AdminFrame>
  )
}
