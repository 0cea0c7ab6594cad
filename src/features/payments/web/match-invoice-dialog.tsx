import { useState } from 'react'
import type { AdminInvoice } from '#features/billing/admin-contract.ts'
import { formatCents } from '#kit/money.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { useInvoiceSearch } from './use-invoice-search.ts'

interface Props {
  returnTo: () => HTMLElement | null
  onPick: (invoice: AdminInvoice) => void
}

const shownAtOnce = 8

/** A dialog to find the invoice of a payment by number, note, customer or email. Open on first render; give it a new key for each opening. */
export function MatchInvoiceDialog({ returnTo, onPick }: Props) {
  const [open, setOpen] = useState(true)
  const [typed, setTyped] = useState('')
  const { rows, problem } = useInvoiceSearch(typed, shownAtOnce)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Match by Hand"
      description="Find the invoice that this payment is for."
      size="form"
      returnTo={returnTo}
      footer={
        <Button variant="line" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      }
    >
      <Field label="Order number, note, customer or email">
        <Input type="search" value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
      </Field>
      <div aria-live="polite" className="mt-4">
        {problem && <p className="text-bad">{problem}</p>}
        {rows?.length === 0 && <p>No results match your search.</p>}
        {rows && (
          <ul className="grid gap-2">
            {rows.map((invoice) => (
              <li key={invoice.id}>
                <button
                  type="button"
                  className="choice w-full text-left"
                  onClick={() => {
                    setOpen(false)
                    onPick(invoice)
                  }}
                >
                  <span className="min-w-0 flex-1">
                    <b>
                      {invoice.invoiceNumber}, {formatCents(invoice.amount)}
                    </b>
                    <span className="block text-sm text-fg-2">
                      {invoice.username}, {invoice.planName}
                    </span>
                  </span>
                  <StatusBadge status={invoice.status} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
