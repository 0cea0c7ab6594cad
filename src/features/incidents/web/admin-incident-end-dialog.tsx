import { useState } from 'react'
import { getReportCase, listReportCases } from '#features/reports/admin-case-contract.ts'
import { listAllReports } from '#features/reports/admin-contract.ts'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { type AdminIncident, endIncident, listIncidents } from '../admin-contract.ts'
import { getStatus } from '../contract.ts'
import { endForm } from './incident-form.ts'

interface Props {
  incident: AdminIncident
  returnTo: () => HTMLElement | null
}

const formId = 'incident-end'

/** A dialog that ends an incident. Open on first render; give it a new key for each opening. */
export function AdminIncidentEndDialog({ incident, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const send = useSend(endIncident, [listIncidents, getStatus, listReportCases, getReportCase, listAllReports])
  const { waiting } = incident
  const form = useSchemaForm({
    schema: endForm,
    id: formId,
    fields: ['text', 'endedAt', 'notifies'],
    defaultValues: { text: 'This is solved.', endedAt: '', notifies: waiting > 0 },
    onFailure: (message) => toast({ title: 'Not ended', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (values) => {
    await send.mutateAsync({ params: { incidentId: incident.id }, body: { ...values, version: incident.version } })
    setOpen(false)
    toast({ title: 'Incident ended', description: incident.title })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="End Incident"
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The incident has not ended yet."
      title="End Incident"
      description={incident.title}
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="What was done" hint="The last update on the status page." {...form.field('text')}>
          <Textarea {...form.register('text')} rows={3} required />
        </Field>
        <Field label="End" optional hint="Now, if empty." {...form.field('endedAt')}>
          <Input {...form.register('endedAt')} type="datetime-local" />
        </Field>
        {waiting > 0 && (
          <Checkbox
            label={`Resolve ${waiting} ${waiting === 1 ? 'report' : 'reports'} on ${incident.caseTitle}`}
            hint="Each reporter gets one email with this text."
            {...form.register('notifies')}
          />
        )}
      </form>
    </FormDialog>
  )
}
