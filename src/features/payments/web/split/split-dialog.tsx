import { useState } from 'react'
import type { AdminInvoice } from '#features/billing/admin-contract.ts'
import { formatCents } from '#kit/money.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import type { PaymentDetail } from '../../admin-contract.ts'
import type { Choice } from '../decisions.ts'
import { PaymentEffects } from '../payment-effects.tsx'
import { useInvoiceSearch } from '../use-invoice-search.ts'

interface Props {
  payment: PaymentDetail
  returnTo: () => HTMLElement | null
  onRun: (choice: Choice) => void
}

type Part = Pick<AdminInvoice, 'id' | 'invoiceNumber' | 'amount' | 'username' | 'planName'>
const shownAtOnce = 20

/**
 * A dialog to divide a payment among open invoices. The sums are updated with each choice, and money that is left over becomes credit. Open on first render;
 * give it a new key for each opening.
 */
export function SplitDialog({ payment, returnTo, onRun }: Props) {
  const [open, setOpen] = useState(true)
  const [typed, setTyped] = useState(payment.candidates[0]?.customer ?? '')
  const [chosen, setChosen] = useState<readonly Part[]>([])
  const pending = useInvoiceSearch(typed, shownAtOnce, 'pending')
  const drafts = useInvoiceSearch(typed, shownAtOnce, 'draft')
  const rows = pending.rows && drafts.rows && [...pending.rows, ...drafts.rows]
  const problem = pending.problem ?? drafts.problem
  const others = rows?.filter((row) => !chosen.some(({ id }) => id === row.id)) ?? []
  const sum = chosen.reduce((total, { amount }) => total + amount, 0)
  const rest = payment.openCents - sum
  const choice: Choice = {
    key: 'split',
    title: 'Split',
    description: '',
    button: chosen.length === 1 ? 'Confirm 1 Invoice' : `Confirm ${chosen.length} Invoices`,
    decision: {
      action: 'confirm',
      invoiceIds: chosen.map(({ id }) => id),
      ...(rest > 0 && { rest: 'credit' as const }),
    },
  }
  const toggle = (part: Part) =>
    setChosen(chosen.some(({ id }) => id === part.id) ? chosen.filter(({ id }) => id !== part.id) : [...chosen, part])
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Split the Payment"
      description="Choose the invoices that this payment pays. All of them are confirmed, or none."
      size="wide"
      returnTo={returnTo}
      footer={
        <>
          <Button variant="line" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button
            disabled={chosen.length === 0 || rest < 0}
            onClick={() => {
              setOpen(false)
              onRun(choice)
            }}
          >
            {choice.button}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <Field label="Customer, order number or email">
          <Input type="search" value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
        </Field>
        {problem && <p className="text-bad">{problem}</p>}
        <fieldset>
          <legend className="field-label mb-1.5">Open invoices</legend>
          {rows && chosen.length + others.length === 0 && <p>No open invoices match your search.</p>}
          <ul className="grid gap-2">
            {[...chosen, ...others].map((part) => (
              <li key={part.id}>
                <Checkbox
                  id={`split-${part.id}`}
                  label={`${part.invoiceNumber}, ${formatCents(part.amount)}, ${part.username}, ${part.planName}`}
                  checked={chosen.some(({ id }) => id === part.id)}
                  onChange={() => toggle(part)}
                />
              </li>
            ))}
          </ul>
        </fieldset>
        <p aria-live="polite" className="num">
          {formatCents(payment.openCents)} − {formatCents(sum)} ={' '}
          <b>{rest < 0 ? `${formatCents(-rest)} missing` : `${formatCents(rest)} left`}</b>
          {rest > 0 && chosen.length > 0 && ', which becomes account credit'}
        </p>
        {chosen.length > 0 && rest >= 0 && <PaymentEffects payment={payment} choice={choice} />}
      </div>
    </Dialog>
  )
}
