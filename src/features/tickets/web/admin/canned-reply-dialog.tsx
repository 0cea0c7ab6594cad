import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type CannedReply,
  cannedReplyForm,
  createCannedReply,
  deleteCannedReply,
  listCannedReplies,
  updateCannedReply,
} from '../../admin-canned-contract.ts'
import { replyFields } from '../../rules.ts'

interface Props {
  /** The canned reply to edit; null to add a new one. */
  reply: CannedReply | null
  returnTo: () => HTMLElement | null
}

const fields = ['name', 'body'] as const
const hint = `Fields that are filled in: ${Object.entries(replyFields)
  .map(([name, meaning]) => `{${name}} ${meaning.toLowerCase()}`)
  .join(', ')}.`

/** The dialog that adds, changes or deletes a canned reply. */
export function CannedReplyDialog({ reply: opened, returnTo }: Props) {
  const client = useQueryClient()
  const [open, setOpen] = useState(true)
  const [reply, setReply] = useState(opened)
  const create = useSend(createCannedReply, [listCannedReplies])
  const update = useSend(updateCannedReply, [listCannedReplies])
  const remove = useSend(deleteCannedReply, [listCannedReplies])
  const form = useSchemaForm({
    schema: cannedReplyForm,
    id: 'canned',
    fields,
    defaultValues: { name: reply?.name ?? '', body: reply?.body ?? '' },
  })
  const submit = form.onSubmit(async (body) => {
    if (reply)
      await update.mutateAsync({ params: { cannedReplyId: reply.id }, body: { ...body, version: reply.version } })
    else await create.mutateAsync({ body })
    setOpen(false)
    toast({ title: reply ? 'Canned reply updated' : 'Canned reply added', description: body.name })
  })
  const reload = async () => {
    const now = (await client.fetchQuery({ ...query(listCannedReplies), staleTime: 0 })).find(
      ({ id }) => id === reply?.id,
    )
    if (!now) return setOpen(false)
    setReply(now)
    form.reset({ name: now.name, body: now.body })
    document.getElementById('canned-name')?.focus()
  }
  const discard = () =>
    reply &&
    remove.mutate(
      { params: { cannedReplyId: reply.id }, query: { version: reply.version } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: 'Canned reply deleted', description: reply.name })
        },
        onError: (error) => toast({ title: 'Not deleted', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId="canned-form"
      title={reply ? `Edit ${reply.name}` : 'Add a canned reply'}
      action="Save"
      dirty={form.isDirty}
      pending={form.pending}
      unsavedChanges="Your changes to the canned reply have not been saved."
      error={
        form.failure && form.problems.length === 0
          ? { message: form.failure, onReload: form.failureCode === 'stale' ? reload : undefined }
          : undefined
      }
      extra={
        reply && (
          <Button variant="destructive" pending={remove.isPending} onClick={discard}>
            Delete
          </Button>
        )
      }
      returnTo={returnTo}
    >
      <form id="canned-form" onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Name" {...form.field('name')}>
          <Input autoComplete="off" {...form.register('name')} />
        </Field>
        <Field label="Text" hint={hint} {...form.field('body')}>
          <Textarea rows={8} {...form.register('body')} />
        </Field>
      </form>
    </FormDialog>
  )
}
