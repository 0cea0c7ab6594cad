import { CopyCheck } from 'lucide-react'
import { lazy } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { Money } from '#web/ui/money.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { AdminInvoice } from '../../admin-contract.ts'
import { invoiceHeadings } from '../../invoice-headings.ts'
import {
  asksForPayment,
  formatWait,
  hasRepeatedCode,
  methodNames,
  needsLink,
  openRejectionReason,
  reviewFlagLabel,
} from '../../rules.ts'

const AdminInvoiceDialog = lazy(() =>
  import('./admin-invoice-dialog.tsx').then((module) => ({ default: module.AdminInvoiceDialog })),
)
const AdminSendLinkDialog = lazy(() =>
  import('./admin-send-link-dialog.tsx').then((module) => ({ default: module.AdminSendLinkDialog })),
)
const decides = ['payments.decide', 'refunds.decide'] as const
const column = columnsFor<AdminInvoice>()

export const invoiceColumns = column.columns([
  column.accessor('invoiceNumber', {
    header: invoiceHeadings.invoiceNumber,
    enableSorting: true,
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row }) => <span className="num">{row.original.invoiceNumber}</span>,
  }),
  column.accessor('username', {
    header: invoiceHeadings.username,
    cell: ({ row: { original } }) => (
      <UserLink id={original.userId} username={original.username} email={original.email} />
    ),
  }),
  column.accessor('planName', {
    header: invoiceHeadings.planName,
    cell: ({ row }) => <span className="inline-block min-w-36 whitespace-normal">{row.original.planName}</span>,
  }),
  column.accessor('amount', {
    header: invoiceHeadings.amount,
    enableSorting: true,
    meta: { align: 'end' },
    cell: ({ row }) => <Money cents={row.original.amount} />,
  }),
  column.accessor('status', {
    header: invoiceHeadings.status,
    enableSorting: true,
    cell: ({ row }) => <InvoiceState {...row.original} />,
  }),
  column.accessor('paymentMethod', {
    header: invoiceHeadings.paymentMethod,
    cell: ({ row }) => (row.original.paymentMethod ? methodNames[row.original.paymentMethod] : '-'),
  }),
  column.accessor('paymentNote', {
    header: invoiceHeadings.paymentNote,
    meta: { look: 'muted' },
    cell: ({ row }) => <PaymentNote {...row.original} />,
  }),
  column.accessor('createdAt', {
    header: invoiceHeadings.createdAt,
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.createdAt} />,
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: invoice } }) => (
      <span className="cell-actions cell-actions-stack">
        {needsLink(invoice) && (
          <RowButton
            needs="invoices.edit"
            row={invoice}
            dialog={AdminSendLinkDialog}
            describes={`for ${invoice.invoiceNumber}`}
            urgent
            action="link"
          >
            Send Link
          </RowButton>
        )}
        <RowButton
          needs={decides}
          row={invoice}
          dialog={AdminInvoiceDialog}
          describes={invoice.invoiceNumber}
          urgent={invoice.status === 'pending' && !needsLink(invoice) && !asksForPayment(invoice)}
        >
          {invoice.status === 'pending' ? 'Confirm Payment' : 'Manage'}
        </RowButton>
      </span>
    ),
  }),
])

/** The status, and the waiting time of a submitted payment, which is marked if the payment is overdue. */
function InvoiceState({ status, submittedAt, overdue, rejectionReason, refund, amount }: AdminInvoice) {
  const isRejected = openRejectionReason({ status, submittedAt, rejectionReason }) !== null
  const isWaiting = status === 'pending' && asksForPayment({ status, submittedAt, amount })
  if (isRejected || !submittedAt || (status !== 'pending' && status !== 'expired'))
    return (
      <span className={isRejected || isWaiting || refund === 'pending' ? 'cell-stack' : undefined}>
        <StatusBadge status={status} />
        {isRejected && <span className="block text-fg-2 text-sm">rejected</span>}
        {isWaiting && <span className="block text-fg-2 text-sm">Waiting for customer</span>}
        {refund === 'pending' && <span className="block font-semibold text-bad text-sm">refund requested</span>}
      </span>
    )
  return (
    <span className="cell-stack">
      <StatusBadge status={status} />
      <span className={overdue ? 'block font-semibold text-bad text-sm' : 'block text-fg-2 text-sm'}>
        {overdue && 'Overdue: '}waiting {formatWait(new Date(submittedAt), new Date())}
      </span>
    </span>
  )
}

function PaymentNote({ paymentNote, ...invoice }: Pick<AdminInvoice, 'paymentNote' | 'duplicateCode' | 'similarCode'>) {
  const { duplicateCode, similarCode } = invoice
  if (!paymentNote && !hasRepeatedCode(invoice)) return '-'
  return (
    <span className={hasRepeatedCode(invoice) ? 'cell-stack' : undefined}>
      <Clipped text={paymentNote} />
      {duplicateCode && (
        <Badge variant="destructive" title="The confirmation code was also given for another invoice">
          <CopyCheck />
          {reviewFlagLabel('duplicate_code', invoice)}
        </Badge>
      )}
      {similarCode && (
        <Badge
          variant="destructive"
          title={`The confirmation code differs by one character from the code of ${similarCode}`}
        >
          <CopyCheck />
          {reviewFlagLabel('similar_code', invoice)}
        </Badge>
      )}
    </span>
  )
}
