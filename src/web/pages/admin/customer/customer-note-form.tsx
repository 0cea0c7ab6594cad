import { addCustomerNote, customerNoteForm } from '#features/customers/admin-contract.ts'
import { getTimeline } from '#features/customers/admin-timeline-contract.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'

/** Adds an internal note about a customer to the timeline. */
export function CustomerNoteForm({ user }: { user: { id: number; username: string } }) {
  const { mutateAsync } = useSend(addCustomerNote, [getTimeline])
  const form = useSchemaForm({
    schema: customerNoteForm,
    id: 'customer-note',
    fields: ['note'],
    defaultValues: { note: '' },
  })
  const note = form.field('note')
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(async ({ note }) => {
        await mutateAsync({ params: { userId: user.id }, body: { note } })
        form.reset()
        toast({ title: 'Note Added', description: `Only administrators see it, ${user.username} does not.` })
      })}
    >
      <Field label={<span className="sr-only">Internal note</span>} {...note}>
        <Input
          autoComplete="off"
          placeholder={`Write an internal note. ${user.username} does not see it.`}
          {...form.register('note')}
        />
      </Field>
      <Button {...form.button} variant="line">
        Add Note
      </Button>
      {form.failure && !note.error && <FormError message={form.failure} code={form.failureCode} />}
    </form>
  )
}
