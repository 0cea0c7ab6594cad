import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { listAllInvoices } from '#features/billing/admin-contract.ts'
import type { QueueItem } from '#features/desk/admin-queue-contract.ts'
import { listInquiries } from '#features/inquiries/admin-contract.ts'
import { listLineJobs } from '#features/provisioning/admin-contract.ts'
import { listAllReports } from '#features/reports/admin-contract.ts'
import { listAllTrialRequests } from '#features/trials/admin-contract.ts'
import { query } from '#web/data.ts'
import type { RowDialog } from '#web/ui/table/row-dialogs.tsx'

const InvoiceDialog = lazy(() =>
  import('#features/billing/web/admin/admin-invoice-dialog.tsx').then((module) => ({
    default: module.AdminInvoiceDialog,
  })),
)
const LineDialog = lazy(() =>
  import('#features/provisioning/web/line-job-dialog.tsx').then((module) => ({ default: module.LineJobDialog })),
)
const TrialDialog = lazy(() =>
  import('#features/trials/web/admin-trial-dialog.tsx').then((module) => ({ default: module.AdminTrialDialog })),
)
const ReportDialog = lazy(() =>
  import('#features/reports/web/admin-report-dialog.tsx').then((module) => ({ default: module.AdminReportDialog })),
)
const CaseDialog = lazy(() =>
  import('#features/reports/web/admin-case-dialog.tsx').then((module) => ({ default: module.AdminCaseDialog })),
)
const InquiryDialog = lazy(() =>
  import('#features/inquiries/web/admin-inquiry-dialog.tsx').then((module) => ({ default: module.AdminInquiryDialog })),
)

interface Props {
  item: QueueItem
  returnTo: () => HTMLElement | null
}

/** The dialog of a queue entry: the same dialog that the entry's list opens. */
export function QueueDialog({ item, returnTo }: Props) {
  const search = (id: number) => ({ query: { search: `#${id}`, pageSize: 10 } })
  const dialog = () => {
    switch (item.kind) {
      case 'line':
        return (
          <RowDialogOf
            load={query(listLineJobs, search(item.jobId))}
            id={item.jobId}
            Dialog={LineDialog}
            returnTo={returnTo}
          />
        )
      case 'trial':
        return (
          <RowDialogOf
            load={query(listAllTrialRequests, search(item.requestId))}
            id={item.requestId}
            Dialog={TrialDialog}
            returnTo={returnTo}
          />
        )
      case 'report':
        return item.reports.length > 1 && item.caseId !== null ? (
          <CaseDialog caseId={item.caseId} returnTo={returnTo} />
        ) : (
          <RowDialogOf
            load={query(listAllReports, search(item.reports[0]!))}
            id={item.reports[0]!}
            Dialog={ReportDialog}
            returnTo={returnTo}
          />
        )
      case 'inquiry':
        return (
          <RowDialogOf
            load={query(listInquiries, search(item.inquiryId))}
            id={item.inquiryId}
            Dialog={InquiryDialog}
            returnTo={returnTo}
          />
        )
      case 'ticket':
      case 'received':
      case 'mailbox':
        // The button of these entries is a link, so they have no dialog.
        return null
      default:
        return (
          <RowDialogOf
            load={query(listAllInvoices, { query: { search: item.invoiceNumber, pageSize: 10 } })}
            id={item.invoiceId}
            Dialog={InvoiceDialog}
            returnTo={returnTo}
          />
        )
    }
  }
  return <Suspense>{dialog()}</Suspense>
}

interface RowProps<R> {
  /** The query of the list that contains the row. */
  load: object
  id: number
  Dialog: RowDialog<R>
  returnTo: () => HTMLElement | null
}
function RowDialogOf<R extends { id: number }>({ load, id, Dialog, returnTo }: RowProps<R>) {
  const { data } = useQuery<{ rows: R[] }>(load as never)
  const row = data?.rows.find((each) => each.id === id)
  const [opened, setOpened] = useState<R>()
  if (row && !opened) setOpened(row)
  if (!opened) return null
  return <Dialog opened={opened} current={row} returnTo={returnTo} />
}
