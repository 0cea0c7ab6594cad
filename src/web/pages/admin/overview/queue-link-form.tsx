import { useEffect } from 'react'
import { paymentLinkForm, updatePaymentLink } from '#features/billing/admin-contract.ts'
import { getQueue, type QueueItem } from '#features/desk/admin-queue-contract.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import { toast } from '#web/ui/toast/toast.ts'

interface Props {
  item: Extract<QueueItem, { kind: 'card_link' }>
  onSent: () => void
  onCancel: () => void
}

/** A form that sends the secure payment link of a card order. It is in the row of the order. */
export function QueueLinkForm({ item, onSent, onCancel }: Props) {
  useOpenedItem(`invoice:${item.invoiceId}`)
  const { mutateAsync } = useSend(updatePaymentLink, [getQueue])
  const form = useSchemaForm({
    schema: paymentLinkForm,
    id: `link-${item.invoiceId}`,
    fields: ['paymentLink'],
    defaultValues: { paymentLink: '' },
  })
  const { id, error } = form.field('paymentLink')
  useEffect(() => document.getElementById(id)?.focus(), [id])

  return (
    <form
      noValidate
      className="queue-link"
      onSubmit={form.onSubmit(async ({ paymentLink }) => {
        const { email } = await mutateAsync({
          params: { invoiceId: item.invoiceId },
          body: { paymentLink, version: item.version },
        })
        toast({ title: 'Payment link sent', description: `It was emailed to ${email} and is shown on the invoice.` })
        onSent()
      })}
    >
      <Field label="Secure payment link" id={id} error={error} hint={`Emailed to ${item.username}.`}>
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          {...form.register('paymentLink')}
          onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        />
      </Field>
      {form.failure && !error && <FormError message={form.failure} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="ink" pending={form.pending}>
          Send
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
