import { useQueryClient } from '@tanstack/react-query'
import { refresh, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type AdminInvoice,
  getInvoiceEvidence,
  listAllInvoices,
  paymentLinkForm,
  updatePaymentLink,
} from '../../admin-contract.ts'
import { securePaymentLink } from '../../rules.ts'

interface Props {
  invoice: AdminInvoice
  onSaved: (now: AdminInvoice) => void
  /** Called when the field has unsaved input. */
  onTyped: () => void
}

/** Sets the secure payment link of a card invoice, which is emailed to the account's address and shown on the invoice. */
export function AdminPaymentLinkForm({ invoice, onSaved, onTyped }: Props) {
  const client = useQueryClient()
  const { mutateAsync } = useSend(updatePaymentLink)
  const known = securePaymentLink(invoice)
  const form = useSchemaForm({
    schema: paymentLinkForm,
    id: 'payment-link',
    fields: ['paymentLink'],
    defaultValues: { paymentLink: known ?? '' },
    onFailure: (message) => toast({ title: 'Update Failed', description: message, variant: 'destructive' }),
  })
  const save = async (paymentLink: string | null) => {
    const now = await mutateAsync({
      params: { invoiceId: invoice.id },
      body: { paymentLink, version: invoice.version },
    })
    toast({
      title: 'Payment link updated',
      description: paymentLink
        ? `It was emailed to ${now.email} and is shown on the invoice.`
        : `${now.invoiceNumber} no longer has a payment link.`,
    })
    // Before the refresh: otherwise the dialog would treat the new version as a change by another administrator.
    onSaved(now)
    await refresh(client, [listAllInvoices.id, getInvoiceEvidence.id])
  }
  const remove = form.onSubmit(async () => {
    await save(null)
    form.setValue('paymentLink', '')
  })

  return (
    <form
      noValidate
      className="my-5 grid gap-3 rounded-md border p-4 first:mt-0"
      onSubmit={form.onSubmit(({ paymentLink }) => save(paymentLink))}
    >
      <Field
        label="Secure payment link"
        {...form.field('paymentLink')}
        hint={`Sent only to ${invoice.email}. A changed link is sent again.`}
      >
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          {...form.register('paymentLink', { onChange: onTyped })}
        />
      </Field>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant="soft" size="sm" pending={form.pending}>
          {known ? 'Change and Send Link' : 'Save and Send Link'}
        </Button>
        {known && (
          <Button variant="line" size="sm" pending={form.pending} onClick={() => void remove()}>
            Remove Link
          </Button>
        )}
      </div>
    </form>
  )
}
