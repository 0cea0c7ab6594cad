import { useReloadRow, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useRowForm } from '#web/ui/form/use-row-form.ts'
import { Note } from '#web/ui/note.tsx'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { getPanelStatus, type LineJob, listLineJobs, manualLine, recordManualLine } from '../admin-contract.ts'
import { LineJobDetails } from './line-job-details.tsx'
import { taskNames } from './line-texts.ts'

/** The dialog for a manual job: the line's desired state, and a form for the credentials that its customer sees. */
export function ManualLineDialog({ opened, current, returnTo, server }: RowDialogProps<LineJob> & { server: string }) {
  const send = useSend(recordManualLine, [listLineJobs, getPanelStatus])
  const reload = useReloadRow(listLineJobs)
  const {
    row: job,
    form,
    submit,
    dialog,
  } = useRowForm({
    opened,
    current,
    schema: () => manualLine,
    fields: ['username', 'password', 'server'],
    valuesOf: () => ({ username: '', password: '', server }),
    save: async (row, body) => ({ ...row, ...(await send.mutateAsync({ params: { jobId: row.id }, body })) }),
    savedToast: ({ username }) => ({
      title: 'Marked as done',
      description: `The line of ${username} has its desired state. The change is in the audit log.`,
    }),
    staleMessage: ({ task }, now) => now.task !== task && 'This job is already done, or a panel now handles it.',
    reloadRow: ({ id }) => reload(`#${id}`, id),
  })
  return (
    <FormDialog
      {...dialog}
      title={`Line of ${job.username}`}
      description={`Job ${job.id}`}
      action="Mark as done"
      unsavedChanges={`The line of ${job.username} has not been marked as done.`}
      size="wide"
      returnTo={returnTo}
    >
      <form id={dialog.formId} onSubmit={submit} noValidate autoComplete="off" className="grid gap-5">
        <Note tone="warn">{taskNames.manual}</Note>
        <LineJobDetails job={job} />
        {job.wanted?.enabled && (
          <fieldset className="grid gap-4 border-t pt-5 sm:grid-cols-2">
            <legend className="sr-only">What the customer enters in their player</legend>
            <p className="text-fg-2 sm:col-span-2">
              {job.line === null
                ? 'Enter the line’s credentials to show them in the customer’s account. Leave them empty if you send them to the customer yourself.'
                : 'The customer already has this line. Enter its credentials only if they have changed.'}
            </p>
            <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
            <Field label="Username of the line" optional {...form.field('username')}>
              <Input {...form.register('username')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
            </Field>
            <Field label="Password of the line" optional {...form.field('password')}>
              <PasswordInput {...form.register('password')} autoComplete="new-password" />
            </Field>
            <div className="sm:col-span-2">
              <Field
                label="Server"
                optional
                hint="The address that customers enter in their players."
                {...form.field('server')}
              >
                <Input {...form.register('server')} autoComplete="off" inputMode="url" spellCheck={false} />
              </Field>
            </div>
          </fieldset>
        )}
      </form>
    </FormDialog>
  )
}
