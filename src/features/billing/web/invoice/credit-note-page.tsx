import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Download, Printer } from 'lucide-react'
import { getPaymentMethods } from '#features/settings/contract.ts'
import { ApiError, messageOf, pathOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { downloadCreditNote, getCreditNote } from '../../contract.ts'
import { CreditNoteDocument } from './credit-note-document.tsx'

/** /credit-note/{number}: one credit note to read and print. */
export function CreditNotePage() {
  const { creditNoteNumber } = useParams({ from: '/credit-note/$creditNoteNumber' })
  const { data: note, error, refetch, isFetching } = useQuery(query(getCreditNote, { params: { creditNoteNumber } }))
  const { data: paymentSettings } = useSuspenseQuery(query(getPaymentMethods))
  const isMissing = error instanceof ApiError && error.status === 404

  return (
    <div className="min-h-full bg-sunken print:bg-white">
      <div className="wrap page print:p-0">
        <p className="no-print mb-4">
          <Link
            {...(note
              ? { to: '/invoice/$invoiceNumber', params: { invoiceNumber: note.invoice.invoiceNumber } }
              : { to: '/invoices' })}
            className="link inline-flex min-h-8 items-center gap-1.5 text-15"
          >
            <ArrowLeft size={18} />
            {note ? `Back to Invoice ${note.invoice.invoiceNumber}` : 'Back to Invoices'}
          </Link>
        </p>
        {note ? (
          <>
            <PageHeader
              className="mb-6"
              title={`Credit Note ${note.number}`}
              actions={
                <div className="no-print flex flex-wrap gap-2.5">
                  <Button variant="line" onClick={() => window.print()}>
                    <Printer size={18} />
                    Print
                  </Button>
                  <ButtonAnchor
                    href={pathOf(downloadCreditNote, { creditNoteNumber: note.number })}
                    download
                    variant="line"
                  >
                    <Download size={18} />
                    Download PDF
                  </ButtonAnchor>
                </div>
              }
            />
            <CreditNoteDocument note={note} payments={paymentSettings} />
          </>
        ) : error ? (
          <>
            <PageHeader className="mb-6" title={isMissing ? 'Credit Note Not Found' : 'Credit Note'} />
            <div className="card">
              <ErrorState
                title={isMissing ? 'There is no credit note with this number' : 'Error loading data'}
                message={isMissing ? undefined : messageOf(error)}
                pending={isFetching}
                {...(!isMissing && { onRetry: () => void refetch() })}
                action={
                  <ButtonLink to="/invoices" variant="line">
                    Return to Invoices
                  </ButtonLink>
                }
              />
            </div>
          </>
        ) : (
          <div role="status">
            <span className="sr-only">Loading the credit note</span>
            <Skeleton className="h-120 rounded-lg" />
          </div>
        )}
      </div>
    </div>
  )
}
