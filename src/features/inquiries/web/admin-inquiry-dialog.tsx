import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ApiError } from '#kit/caller.ts'
import { callOf, refresh, useSend } from '#web/data.ts'
import { DialogTrouble } from '#web/ui/dialog-trouble.tsx'
import { ErrorSummary } from '#web/ui/error-summary.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSchemaForm } from '#web/ui/use-schema-form.ts'
import { type AdminInquiry, inquiryDecision, inquiryStatus, listInquiries, updateInquiry } from '../admin-contract.ts'
import { statusNames } from '../rules.ts'
import { AdminInquiryDetails } from './admin-inquiry-details.tsx'

interface Props {
  /** The inquiry as the row showed it. */
  opened: AdminInquiry
  /** The same inquiry as the list shows it now, if it does. */
  current: AdminInquiry | undefined
  returnTo: () => HTMLElement | null
}

const startFor = ({ status, adminNotes }: AdminInquiry) => ({ status, adminNotes: adminNotes ?? '' })

/** One inquiry to be read, answered by mail and marked: open from its first rendering, rendered anew for every opening. */
export function AdminInquiryDialog({ opened, current, returnTo }: Props) {
  const client = useQueryClient()
  const formId = useId()
  const [inquiry, setInquiry] = useState(opened)
  const [open, setOpen] = useState(true)
  const [isStale, setStale] = useState(false)
  const send = useSend(updateInquiry, [listInquiries])
  const form = useSchemaForm({
    schema: inquiryDecision,
    id: formId,
    fields: ['status', 'adminNotes'],
    defaultValues: startFor(opened),
    onFailure: (description, error) => {
      setStale(error instanceof ApiError && error.code === 'stale')
      toast({ title: 'Update Failed', description, variant: 'destructive' })
    },
  })
  const submit = form.onSubmit(async (body) => {
    const now = await send.mutateAsync({ params: { inquiryId: inquiry.id }, body: { ...body, version: inquiry.version } })
    setOpen(false)
    toast({ title: 'Inquiry updated', description: `The inquiry of ${now.name} is now ${statusNames[now.status].toLowerCase()}.` })
  })
  const reload = async () => {
    const { rows } = await callOf(client)(listInquiries, { query: { search: `#${inquiry.id}`, pageSize: 100 } })
    const now = rows.find(({ id }) => id === inquiry.id)
    if (!now) return setOpen(false)
    setInquiry(now)
    setStale(false)
    form.reset(startFor(now))
    // The button that was pressed goes away with the message.
    document.getElementById(`${formId}-status`)?.focus()
    await refresh(client, [listInquiries.id])
  }
  const isOvertaken = open && !form.pending && !form.failure && current && current.version > inquiry.version
  const trouble = form.failure ?? (isOvertaken ? `This inquiry was changed meanwhile: it is now ${statusNames[current.status].toLowerCase()}.` : undefined)

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      title={`Inquiry of ${inquiry.name}`}
      formId={formId}
      action="Save"
      dirty={form.isDirty}
      pending={form.pending}
      loss={`Nothing has been saved for the inquiry of ${inquiry.name} yet.`}
      trouble={trouble && <DialogTrouble message={trouble} onReload={isStale || isOvertaken ? reload : undefined} />}
      returnTo={returnTo}
    >
      <AdminInquiryDetails inquiry={inquiry} />
      <form id={formId} onSubmit={submit} noValidate className="mt-5 grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Status" {...form.field('status')}>
          <NativeSelect {...form.register('status')}>
            {inquiryStatus.options.map((status) => (
              <option key={status} value={status}>
                {statusNames[status]}
                {status === inquiry.status && ' (now)'}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label="Note" optional hint="For administrators; the visitor never sees it." {...form.field('adminNotes')}>
          <Textarea rows={3} {...form.register('adminNotes')} />
        </Field>
      </form>
    </FormDialog>
  )
}
