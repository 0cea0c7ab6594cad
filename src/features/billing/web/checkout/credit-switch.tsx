import { useState } from 'react'
import { getOwnSubscription } from '#features/subscriptions/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getInvoice, type InvoiceDetail, listInvoices, setInvoiceCredit } from '../../contract.ts'
import { usesCredit } from '../../rules.ts'

/** Whether account credit is used for this order. It is used by default. */
export function CreditSwitch({ order }: { order: InvoiceDetail }) {
  const { mutate } = useSend(setInvoiceCredit, [getInvoice, listInvoices, getOwnSubscription])
  // Until the updated invoice arrives, the checkbox shows the requested value.
  const [asked, setAsked] = useState<boolean>()
  const choose = (useCredit: boolean) => {
    if (asked !== undefined) return
    setAsked(useCredit)
    mutate(
      { params: { invoiceNumber: order.invoice.invoiceNumber }, body: { useCredit } },
      {
        onSuccess: ({ amount }) => announce(`The total is now ${formatCents(amount)}`),
        onError: (error) =>
          toast({ title: 'Your credit could not be changed', description: messageOf(error), variant: 'destructive' }),
        onSettled: () => setAsked(undefined),
      },
    )
  }
  return (
    <Checkbox
      label="Use my account credit"
      hint={`${formatCents(order.usableCredit)} available`}
      checked={asked ?? usesCredit(order)}
      aria-busy={asked !== undefined}
      onChange={(event) => choose(event.target.checked)}
    />
  )
}
