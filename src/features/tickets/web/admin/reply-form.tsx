import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  getThread,
  listAllTickets,
  replyForm,
  replyToTicket,
  type Thread,
  uploadStaffPicture,
} from '../../admin-contract.ts'
import { ticketStatus } from '../../contract.ts'
import { fillFields, statusNames } from '../../rules.ts'
import { AttachPictures } from '../pictures/attach-pictures.tsx'
import { CannedReplyPicker } from './canned-reply-picker.tsx'

const fields = ['body', 'status', 'pictures'] as const

/** The form for a reply to the customer. The typed text is kept in this tab until it is sent, even after an error or a new login. */
export function ReplyForm({ ticket, userId }: { ticket: Thread; userId: number | undefined }) {
  const { mutateAsync } = useSend(replyToTicket, [getThread, listAllTickets])
  const [isAttaching, setAttaching] = useState(false)
  const form = useSchemaForm({
    schema: replyForm,
    id: 'reply',
    fields,
    defaultValues: { body: '', status: 'waiting' },
    draft: { key: `ticket-reply:${ticket.id}`, owner: userId, fields },
  })
  const newest = Math.max(...ticket.messages.filter(({ kind }) => kind !== 'note').map(({ id }) => id), 1)
  // The newest message at the time the first character was typed. A message that arrives later is shown, but the administrator may not have read it.
  const isTyped = form.watch('body') !== ''
  const [start, setStart] = useState({ isTyped, newest })
  if (start.isTyped !== isTyped) setStart({ isTyped, newest })
  /** Appends a canned reply to the typed text and fills in the fields that have a value. */
  const insert = (text: string) => {
    const typed = form.watch('body').trimEnd()
    form.setValue('body', [typed, fillFields(text, ticket.fields)].filter(Boolean).join('\n\n'), form.asTyped)
    form.draft.keep()
    document.getElementById('reply-body')?.focus()
  }
  const pictures = form.watch('pictures') ?? []
  const setPictures = (ids: string[]) => {
    form.setValue('pictures', ids, form.asTyped)
    form.draft.keep()
  }
  const submit = form.onSubmit(async (values) => {
    try {
      await mutateAsync({ params: { ticketId: ticket.id }, body: { ...values, seen: start.newest } })
    } catch (error) {
      setStart({ isTyped, newest })
      throw error
    }
    form.reset({ body: '', status: 'waiting' })
    toast({
      title: 'Reply Sent',
      description: `${ticket.from} gets it by email${ticket.userId === null ? '.' : ' and sees it in the account.'}`,
    })
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <CannedReplyPicker onInsert={insert} />
      <Field label="Reply" hint={`Sent to ${ticket.email}.`} {...form.field('body')}>
        <Textarea rows={6} {...form.register('body')} />
      </Field>
      {ticket.userId !== null && (
        <AttachPictures
          {...form.field('pictures')}
          endpoint={uploadStaffPicture}
          isStaff
          pictures={pictures}
          onAdd={(id) => setPictures([...(form.watch('pictures') ?? []), id])}
          onRemove={(id) => setPictures(pictures.filter((each) => each !== id))}
          onBusy={setAttaching}
        />
      )}
      <Field label="Status after sending" {...form.field('status')}>
        <NativeSelect {...form.register('status')}>
          {ticketStatus.options.map((status) => (
            <option key={status} value={status}>
              {statusNames[status]}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {form.failure && <FormError message={form.failure} code={form.failureCode} />}
      <div>
        <Button {...form.button} pending={form.pending || isAttaching}>
          Send Reply
        </Button>
      </div>
    </form>
  )
}
