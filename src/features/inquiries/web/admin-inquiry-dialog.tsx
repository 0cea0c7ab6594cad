import { useReloadRow, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useRowForm } from '#web/ui/form/use-row-form.ts'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { type AdminInquiry, inquiryDecision, inquiryStatus, listInquiries, updateInquiry } from '../admin-contract.ts'
import { statusNames } from '../rules.ts'
import { AdminInquiryDetails } from './admin-inquiry-details.tsx'

/** Shows one inquiry, with a link to reply by email, and edits its status and note. */
export function AdminInquiryDialog({ opened, current, returnTo }: RowDialogProps<AdminInquiry>) {
  const send = useSend(updateInquiry, [listInquiries])
  const reloadRow = useReloadRow(listInquiries)
  const {
    row: inquiry,
    form,
    submit,
    dialog,
  } = useRowForm({
    opened,
    current,
    schema: () => inquiryDecision,
    fields: ['status', 'adminNotes'],
    valuesOf: ({ status, adminNotes }) => ({ status, adminNotes: adminNotes ?? '' }),
    save: ({ id, version }, values) => send.mutateAsync({ params: { inquiryId: id }, body: { ...values, version } }),
    savedToast: ({ name, status }) => ({
      title: 'Inquiry updated',
      description: `The inquiry from ${name} is now ${statusNames[status].toLowerCase()}.`,
    }),
    staleMessage: ({ version }, now) =>
      now.version > version && `Someone else changed this inquiry: it is now ${statusNames[now.status].toLowerCase()}.`,
    reloadRow: ({ id }) => reloadRow(`#${id}`, id),
  })
  useOpenedItem(dialog.open ? `inquiry:${opened.id}` : null)

  return (
    <FormDialog
      {...dialog}
      title={`Inquiry from ${inquiry.name}`}
      action="Save"
      unsavedChanges={`Your changes to the inquiry from ${inquiry.name} have not been saved.`}
      returnTo={returnTo}
    >
      <AdminInquiryDetails inquiry={inquiry} />
      <form id={dialog.formId} onSubmit={submit} noValidate className="mt-5 grid gap-4">
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
        <Field
          label="Note"
          optional
          hint="For administrators only; the visitor never sees it."
          {...form.field('adminNotes')}
        >
          <Textarea rows={3} {...form.register('adminNotes')} />
        </Field>
      </form>
    </FormDialog>
  )
}
