import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { answerForm, answerTicket, getTicket, listTickets, uploadPicture } from '../contract.ts'
import { AttachPictures } from './pictures/attach-pictures.tsx'

interface Props {
  ticketId: number
  userId: number | undefined
  isSolved: boolean
}

const fields = ['body', 'pictures'] as const

/** The form for a customer's message. Typed text and attachments are kept in this tab until they are sent. */
export function AnswerForm({ ticketId, userId, isSolved }: Props) {
  const { mutateAsync } = useSend(answerTicket, [getTicket, listTickets])
  const [isAttaching, setAttaching] = useState(false)
  const form = useSchemaForm({
    schema: answerForm,
    id: 'answer',
    fields,
    draft: { key: `ticket-answer:${ticketId}`, owner: userId, fields },
  })
  const pictures = form.watch('pictures') ?? []
  const setPictures = (ids: string[]) => {
    form.setValue('pictures', ids, form.asTyped)
    form.draft.keep()
  }
  const submit = form.onSubmit(async (body) => {
    await mutateAsync({ params: { ticketId }, body })
    form.reset({ body: '' })
    toast({ title: 'Message Sent', description: 'We will answer here and by email.' })
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field
        label="Your answer"
        hint={isSolved && 'This conversation is marked as solved. A new message opens it again.'}
        {...form.field('body')}
      >
        <Textarea rows={4} {...form.register('body')} />
      </Field>
      <AttachPictures
        {...form.field('pictures')}
        endpoint={uploadPicture}
        isStaff={false}
        pictures={pictures}
        onAdd={(id) => setPictures([...(form.watch('pictures') ?? []), id])}
        onRemove={(id) => setPictures(pictures.filter((each) => each !== id))}
        onBusy={setAttaching}
      />
      {form.failure && <FormError message={form.failure} code={form.failureCode} />}
      <div>
        <Button {...form.button} pending={form.pending || isAttaching}>
          Send Message
        </Button>
      </div>
    </form>
  )
}
