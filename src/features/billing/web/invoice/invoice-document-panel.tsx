import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getPaymentMethods, getSite } from '#features/settings/contract.ts'
import { BrandName } from '#web/brand/brand-name.tsx'
import { query } from '#web/data.ts'
import { Money } from '#web/ui/money.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { InvoiceDetail } from '../../contract.ts'
import { billToLines, defaultDescription, methodNames, sellerLines } from '../../rules.ts'
import { InvoiceItemsTable } from './invoice-items-table.tsx'

/** The printable invoice: dates, amount, parties and items. */
export function InvoiceDocumentPanel({
  detail: { invoice, lines, user, status, customerDetails, received },
}: {
  detail: InvoiceDetail
}) {
  const { data: paymentSettings } = useSuspenseQuery(query(getPaymentMethods))
  const { data: site } = useSuspenseQuery(query(getSite))
  const shownLines =
    lines.length > 0 ? lines : [{ description: invoice.description || defaultDescription, amount: invoice.amount }]
  return (
    <article className="card" aria-label={`Invoice ${invoice.invoiceNumber}`}>
      <div className="card-body grid gap-7 sm:p-8">
        <BrandName brand={site.brand} />
        <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:flex sm:flex-wrap sm:gap-x-12">
          <Fact label="Issue date">
            <DateText value={invoice.createdAt} look="long" />
          </Fact>
          {invoice.paidAt ? (
            <Fact label="Payment date">
              <DateText value={invoice.paidAt} look="long" />
            </Fact>
          ) : (
            (status === 'pending' || status === 'draft') &&
            !invoice.submittedAt && (
              <Fact label="Pay by">
                <DateText value={invoice.expiresAt} look="long" />
              </Fact>
            )
          )}
          {invoice.paymentMethod && <Fact label="Payment method">{methodNames[invoice.paymentMethod]}</Fact>}
          <div className="col-span-2 sm:ml-auto sm:text-right">
            <dt className="text-fg-2 text-sm">Amount</dt>
            <dd>
              <Money cents={invoice.amount} className="display text-[2rem]" />
              {received > 0 && (
                <span className="block text-sm">
                  <Money cents={received} /> received, <Money cents={invoice.amount - received} /> left
                </span>
              )}
              {status === 'refunded' && <span className="block font-semibold text-fg-2 text-sm">Refunded</span>}
              {status === 'paid' && <span className="block font-semibold text-ok text-sm">Paid in full</span>}
            </dd>
          </div>
        </dl>

        <div className="grid gap-6 border-t pt-6 sm:grid-cols-2">
          <Party title="From">
            {sellerLines(paymentSettings, site).map((line, index) => (
              <p key={line} className={index === 0 ? 'font-semibold' : 'text-fg-2'}>
                {line}
              </p>
            ))}
          </Party>
          <Party title="Bill To">
            <p className="font-semibold">{user.username}</p>
            {billToLines(user.email, customerDetails).map((line) => (
              <p key={line} className="text-fg-2">
                {line}
              </p>
            ))}
          </Party>
        </div>

        <InvoiceItemsTable items={shownLines} total={invoice.amount} />

        {invoice.notes && (
          <div className="border-t pt-6">
            <h2 className="mb-1 text-lg">Notes</h2>
            <p className="whitespace-pre-line wrap-anywhere text-15">{invoice.notes}</p>
          </div>
        )}
      </div>
    </article>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-fg-2 text-sm">{label}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  )
}

function Party({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0 wrap-anywhere">
      <h2 className="mb-1.5 text-lg">{title}</h2>
      {children}
    </section>
  )
}
