import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getReportCase, listReportCases, type ReportCaseDetails, splitReport } from '../admin-case-contract.ts'
import { issueNames } from '../rules.ts'

/** The reports of a case as they were sent. The button of a waiting report moves all reports with its spelling to a separate case. */
export function AdminCaseReports({ reports }: Pick<ReportCaseDetails, 'reports'>) {
  const send = useSend(splitReport, [getReportCase, listReportCases])
  const split = (id: number, name: string) =>
    send.mutate(
      { params: { reportId: id } },
      {
        onSuccess: () => toast({ title: 'Moved to a separate case', description: name }),
        onError: (error) =>
          toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <ul aria-label="Reports of this case" className="mt-5 divide-y divide-line rounded-md border">
      {reports.map((report) => (
        <li key={report.id} className="grid gap-1 px-4 py-2.5">
          <span className="wrap-anywhere">
            <span className="num text-fg-2">#{report.id}</span> {report.contentName}{' '}
            <span className="text-fg-2">
              by {report.username}, {issueNames[report.issue]}, <DateText value={report.createdAt} />
            </span>
          </span>
          {report.description && <span className="wrap-anywhere text-fg-2">{report.description}</span>}
          <span className="flex flex-wrap items-center gap-2">
            <StatusBadge status={report.status} />
            {(report.status === 'pending' || report.status === 'reviewing') && (
              <Button
                size="sm"
                variant="line"
                pending={send.isPending && send.variables.params.reportId === report.id}
                onClick={() => split(report.id, report.contentName)}
              >
                Split Off<span className="sr-only"> report {report.id}</span>
              </Button>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
