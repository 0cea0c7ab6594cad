import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { listAllInvoices } from '#features/billing/admin-contract.ts'
import { getTimeline, type TimelineEntry } from '#features/customers/admin-timeline-contract.ts'
import { listInquiries } from '#features/inquiries/admin-contract.ts'
import { listLineJobs } from '#features/provisioning/admin-contract.ts'
import { listAllReports } from '#features/reports/admin-contract.ts'
import { listAllTrialRequests } from '#features/trials/admin-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { refresh, useReloadRow } from '#web/data.ts'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import type { RowDialog } from '#web/ui/table/row-dialogs.tsx'
import { toast } from '#web/ui/toast/toast.ts'

const InvoiceDialog = lazy(() =>
  import('#features/billing/web/admin/admin-invoice-dialog.tsx').then((module) => ({
    default: module.AdminInvoiceDialog,
  })),
)
const ReportDialog = lazy(() =>
  import('#features/reports/web/admin-report-dialog.tsx').then((module) => ({ default: module.AdminReportDialog })),
)
const TrialDialog = lazy(() =>
  import('#features/trials/web/admin-trial-dialog.tsx').then((module) => ({ default: module.AdminTrialDialog })),
)
const LineDialog = lazy(() =>
  import('#features/provisioning/web/line-job-dialog.tsx').then((module) => ({ default: module.LineJobDialog })),
)
const InquiryDialog = lazy(() =>
  import('#features/inquiries/web/admin-inquiry-dialog.tsx').then((module) => ({
    default: module.AdminInquiryDialog,
  })),
)
const UndoEdit = lazy(() =>
  import('#features/subscriptions/web/undo-edit-dialog.tsx').then((module) => ({ default: module.UndoEditDialog })),
)
const rowDialogs = {
  invoice: InvoiceDialog,
  report: ReportDialog,
  trial: TrialDialog,
  line: LineDialog,
  inquiry: InquiryDialog,
}

type Opened = { Dialog: RowDialog<never>; row: { id: number } } | { activationId: number }

/** Opens the dialog for the action of a timeline entry. The row for the dialog is fetched when the button is pressed. */
export function useOpenItems(user: { id: number; username: string }): {
  open: (entry: TimelineEntry, button: HTMLElement) => void
  dialogs: ReactNode
  /** The id of the entry whose row is being fetched. */
  opening: string | undefined
} {
  const client = useQueryClient()
  const [opened, show] = useOpenDialog<Opened>('customer-timeline')
  const [opening, setOpening] = useState<string>()
  const rows = {
    invoice: useReloadRow(listAllInvoices),
    report: useReloadRow(listAllReports),
    trial: useReloadRow(listAllTrialRequests),
    line: useReloadRow(listLineJobs),
    inquiry: useReloadRow(listInquiries),
  }
  const open = async (entry: TimelineEntry, button: HTMLElement) => {
    const item = entry.open
    if (!item || opening) return
    if (item.kind === 'edit') return show({ activationId: item.id }, button)
    setOpening(entry.id)
    try {
      const row = await rows[item.kind](entry.invoiceNumber ?? `#${item.id}`, item.id)
      if (row) show({ Dialog: rowDialogs[item.kind] as RowDialog<never>, row }, button)
      else await refresh(client, [getTimeline.id])
    } catch (error) {
      toast({ title: 'Error loading data', description: messageOf(error), variant: 'destructive' })
    } finally {
      setOpening(undefined)
    }
  }
  const dialogs = (
    <Suspense>
      {opened &&
        ('Dialog' in opened.subject ? (
          <opened.subject.Dialog
            key={opened.openCount}
            opened={opened.subject.row as never}
            returnTo={opened.returnTo}
          />
        ) : (
          <UndoEdit
            key={opened.openCount}
            user={user}
            activationId={opened.subject.activationId}
            returnTo={opened.returnTo}
          />
        ))}
    </Suspense>
  )
  return { open: (entry, button) => void open(entry, button), dialogs, opening }
}
