import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ArrowLeft, Download, Printer } from 'lucide-react'
import { currentUser } from '#features/accounts/contract.ts'
import { pathOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { downloadInvoice, getInvoice } from '../../contract.ts'
import { canUseCredit } from '../../rules.ts'
import { CreditSwitch } from '../checkout/credit-switch.tsx'
import { PayLink } from '../checkout/pay-link.tsx'
import { PaymentInstructionsPanel } from '../checkout/payment-instructions-panel.tsx'
import { RefundPanel } from '../refund/refund-panel.tsx'
import { InvoiceDocumentPanel } from './invoice-document-panel.tsx'
import { InvoiceMissingPanel } from './invoice-missing-panel.tsx'

/** /invoice/{number}: one invoice to read, pay and print. */
export function InvoicePage() {
  const { invoiceNumber } = useParams({ from: '/invoice/$invoiceNumber' })
  const { data: detail, error, refetch, isFetching } = useQuery(query(getInvoice, { params: { invoiceNumber } }))
  const { data: user } = useSuspenseQuery(query(currentUser))
  const invoice = detail?.invoice
  const isOpen = detail?.status === 'pending' || detail?.status === 'draft'

  return (
    <div className="min-h-full bg-sunken print:bg-white">
      <div className="wrap page print:p-0">
        <p className="no-print mb-4">
          <Link to="/invoices" className="link inline-flex min-h-8 items-center gap-1.5 text-15">
            <ArrowLeft size={18} />
            Back to Invoices
          </Link>
        </p>
        {detail && invoice ? (
          <>
            <PageHeader
              className="mb-6"
              title={
                <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
                  Invoice {invoice.invoiceNumber}
                  <StatusBadge status={detail.status} className="font-body tracking-normal" />
                </span>
              }
              actions={
                <div className="no-print flex flex-wrap gap-2.5">
                  <CopyButton
                    text={invoice.invoiceNumber}
                    label="Copy ID"
                    onCopied={() => toast({ title: 'Copied to clipboard' })}
                  />
                  <Button variant="line" onClick={() => window.print()}>
                    <Printer size={18} />
                    Print
                  </Button>
                  <ButtonAnchor
                    href={pathOf(downloadInvoice, { invoiceNumber: invoice.invoiceNumber })}
                    download
                    variant="line"
                  >
                    <Download size={18} />
                    Download PDF
                  </ButtonAnchor>
                  <PayLink invoice={invoice} />
                </div>
              }
            />
            <div className={clsx('grid items-start gap-5', isOpen && 'xl:grid-cols-[minmax(0,1fr)_26rem]')}>
              <InvoiceDocumentPanel detail={detail} />
              {isOpen && (
                <div className="grid gap-5">
                  {canUseCredit(detail) && invoice.userId === user?.id && (
                    <Card title="Account credit" titleId="account-credit" className="no-print">
                      <CreditSwitch order={detail} />
                    </Card>
                  )}
                  <PaymentInstructionsPanel detail={detail} />
                </div>
              )}
            </div>
            {invoice.userId === user?.id && <RefundPanel invoiceNumber={invoice.invoiceNumber} />}
          </>
        ) : error ? (
          <InvoiceMissingPanel
            invoiceNumber={invoiceNumber}
            error={error}
            pending={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <div role="status" className="grid min-h-[36rem] content-start gap-5">
            <span className="sr-only">Loading the invoice</span>
            <Skeleton className="h-12 w-80 max-w-full" />
            <Skeleton className="h-120 rounded-lg" />
          </div>
        )}
      </div>
    </div>
  )
}
