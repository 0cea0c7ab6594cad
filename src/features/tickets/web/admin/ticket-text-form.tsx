import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type addTicketNote,
  getThread,
  listAllTickets,
  noteForm,
  type recordTicketAnswer,
} from '../../admin-contract.ts'

interface Props {
  ticketId: number
  userId: number | undefined
  endpoint: typeof addTicketNote | typeof recordTicketAnswer
  /** Part of the storage key of the draft. */
  name: string
  label: string
  hint: string
  action: string
  done: { title: string; description: string }
}

/** A form with one text field, whose text is added to a ticket. */
export function TicketTextForm({ ticketId, userId, endpoint, name, label, hint, action, done }: Props) {
  const { mutateAsync } = useSend(endpoint as typeof addTicketNote, [getThread, listAllTickets])
  const form = useSchemaForm({
    schema: noteForm,
    id: `ticket-${name}`,
    fields: ['body'],
    draft: { key: `ticket-${name}:${ticketId}`, owner: userId, fields: ['body'] },
  })
  const submit = form.onSubmit(async (body) => {
    await mutateAsync({ params: { ticketId }, body })
    form.reset({ body: '' })
    toast(done)
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label={label} hint={hint} {...form.field('body')}>
        <Textarea rows={4} {...form.register('body')} />
      </Field>
      {form.failure && <FormError message={form.failure} code={form.failureCode} />}
      <div>
        <Button {...form.button} variant="line">
          {action}
        </Button>
      </div>
    </form>
  )
}
