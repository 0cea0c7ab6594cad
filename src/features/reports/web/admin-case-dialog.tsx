import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { caseDecision, decideReportCase, getReportCase, listReportCases } from '../admin-case-contract.ts'
import { listAllReports } from '../admin-contract.ts'
import { statusNames } from '../rules.ts'
import { AdminCaseIncident } from './admin-case-incident.tsx'
import { AdminCaseMerge } from './admin-case-merge.tsx'
import { AdminCaseReports } from './admin-case-reports.tsx'

interface Props {
  caseId: number
  returnTo: () => HTMLElement | null
}

const fields = ['status', 'adminNotes'] as const
const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * A dialog that sets the status of all waiting reports of a case, moves the reports to another case, or moves the reports with one spelling to a
 * separate case.
 */
export function AdminCaseDialog({ caseId, returnTo }: Props) {
  const formId = useId()
  const [open, setOpen] = useState(true)
  const { data: found, refetch } = useQuery({ ...query(getReportCase, { params: { caseId } }), enabled: open })
  const [version, setVersion] = useState<number>()
  if (found && version === undefined) setVersion(found.version)
  const send = useSend(decideReportCase, [getReportCase, listReportCases, listAllReports])
  useOpenedItem(open && found?.reports[0] ? `report:${found.reports[0].id}` : null)
  const form = useSchemaForm({
    schema: caseDecision,
    id: formId,
    fields,
    defaultValues: { status: 'resolved', adminNotes: '' },
    draft: { key: `report-case:${caseId}`, owner: undefined, fields: ['adminNotes'] },
  })
  const submit = form.onSubmit(async (values) => {
    const done = await send.mutateAsync({ params: { caseId }, body: { ...values, ...(version && { version }) } })
    setOpen(false)
    toast({ title: 'Case updated', description: `The reports on ${done.title} are now ${statusNames[values.status]}.` })
  })
  const reload = async () => {
    const { data } = await refetch()
    setVersion(data?.version)
    form.forget()
  }
  const isEmailed = form.watch('status') !== 'reviewing'
  return (
    <FormDialog
      open={open}
      onClose={() => {
        form.draft.discard()
        setOpen(false)
      }}
      formId={formId}
      title={found ? `Reports on ${found.title}` : 'Reports'}
      description={
        found && `${counted(found.open, 'report')} from ${counted(found.reporters, 'customer')} waiting in this case.`
      }
      action={found ? `Update ${counted(found.open, 'Report')}` : 'Update'}
      disabled={!found || found.open === 0}
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The note to the reporters has not been sent."
      error={
        form.failure && form.problems.length === 0
          ? { message: form.failure, onReload: form.failureCode === 'stale' ? reload : undefined }
          : undefined
      }
      size="wide"
      returnTo={returnTo}
    >
      {!found && <Skeleton className="h-60" />}
      <form id={formId} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field
          label="Status"
          hint={isEmailed ? 'Each reporter gets one email, even for several reports.' : 'The reporters get no email.'}
          {...form.field('status')}
        >
          <NativeSelect {...form.register('status')}>
            {caseDecision.shape.status.options.map((status) => (
              <option key={status} value={status}>
                {statusNames[status]}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label="Note" optional hint="Shown to all reporters as “From our team”." {...form.field('adminNotes')}>
          <Textarea rows={3} {...form.register('adminNotes')} />
        </Field>
      </form>
      {found && (
        <>
          <AdminCaseIncident caseId={found.id} />
          <AdminCaseReports reports={found.reports} />
          <AdminCaseMerge key={found.id} caseId={found.id} onMerged={() => setOpen(false)} />
        </>
      )}
    </FormDialog>
  )
}
