import { ReportForm } from './report-form.tsx'
import { ReportList } from './report-list.tsx'

/** The Reports tab of My Account. */
export function ReportsTab() {
  return (
    <div className="grid gap-5">
      <ReportForm />
      <ReportList />
    </div>
  )
}
