import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getSite, type PaymentMethods } from '#features/settings/contract.ts'
import { BrandName } from '#web/brand/brand-name.tsx'
import { query } from '#web/data.ts'
import { Money } from '#web/ui/money.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { CreditNoteDetail } from '../../contract.ts'
import { creditNoteItems } from '../../refund-rules.ts'
import { methodNames, sellerLines } from '../../rules.ts'
import { InvoiceItemsTable } from './invoice-items-table.tsx'

/** The printable credit note. */
export function CreditNoteDocument({ note, payments }: { note: CreditNoteDetail; payments: PaymentMethods }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { invoice, user } = note
  return (
    <article className="card" aria-label={`Credit note ${note.number}`}>
      <div className="card-body grid gap-7 sm:p-8">
        <BrandName brand={site.brand} />
        <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:flex sm:flex-wrap sm:gap-x-12">
          <Fact label="Issue date">
            <DateText value={note.issuedAt} look="long" />
          </Fact>
          <Fact label="For invoice">
            <span className="num">{invoice.invoiceNumber}</span>
          </Fact>
          {note.amount > 0 && invoice.paymentMethod && (
            <Fact label="Refund method">{methodNames[invoice.paymentMethod]}</Fact>
          )}
          {note.paymentReference && <Fact label="Reference">{note.paymentReference}</Fact>}
          <div className="col-span-2 sm:ml-auto sm:text-right">
            <dt className="text-fg-2 text-sm">Paid back</dt>
            <dd>
              <Money cents={note.amount} className="display text-[2rem]" />
              {note.creditReturned > 0 && (
                <span className="block font-semibold text-sm">
                  and <Money cents={note.creditReturned} /> as account credit
                </span>
              )}
            </dd>
          </div>
        </dl>
        <div className="grid gap-6 border-t pt-6 sm:grid-cols-2">
          <section className="min-w-0 wrap-anywhere">
            <h2 className="mb-1.5 text-lg">From</h2>
            {sellerLines(payments, site).map((line, index) => (
              <p key={line} className={index === 0 ? 'font-semibold' : 'text-fg-2'}>
                {line}
              </p>
            ))}
          </section>
          <section className="min-w-0 wrap-anywhere">
            <h2 className="mb-1.5 text-lg">Credited To</h2>
            <p className="font-semibold">{user.username}</p>
            <p className="text-fg-2">{user.email}</p>
          </section>
        </div>
        <InvoiceItemsTable
          caption="What this credit note reverses"
          items={creditNoteItems(note)}
          total={-note.amount}
        />
      </div>
    </article>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0 wrap-anywhere">
      <dt className="text-fg-2 text-sm">{label}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  )
}
