import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { May } from '#web/ui/permission/may.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { casesShown, listReportCases } from '../admin-case-contract.ts'

const AdminCaseDialog = lazy(() =>
  import('./admin-case-dialog.tsx').then((module) => ({ default: module.AdminCaseDialog })),
)

/** The open cases. A case contains the reports on the same content, in any spelling. Renders nothing if there are none. */
export function AdminCasesSection() {
  const { data: cases = [] } = useQuery(query(listReportCases))
  const [opened, openCase] = useOpenDialog<number>('report-cases')
  if (cases.length === 0 && !opened) return null
  return (
    <details className="card mb-5">
      <summary id="report-cases" className="cursor-pointer px-4.5 py-3 font-semibold">
        {cases.length === casesShown ? `${casesShown} or more` : cases.length} open{' '}
        {cases.length === 1 ? 'case' : 'cases'} by content
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {cases.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 px-4.5 py-2.5">
            <span className="min-w-0 wrap-anywhere">
              {each.title}{' '}
              <span className="text-fg-2">
                {each.open} {each.open === 1 ? 'report' : 'reports'} from {each.reporters}{' '}
                {each.reporters === 1 ? 'customer' : 'customers'}, since <DateText value={each.createdAt} />
              </span>
            </span>
            <May needs="reports.edit">
              <Button variant="soft" size="sm" onClick={({ currentTarget }) => openCase(each.id, currentTarget)}>
                Open<span className="sr-only"> the case of {each.title}</span>
              </Button>
            </May>
          </li>
        ))}
      </ul>
      <Suspense>
        {opened && <AdminCaseDialog key={opened.openCount} caseId={opened.subject} returnTo={opened.returnTo} />}
      </Suspense>
    </details>
  )
}
