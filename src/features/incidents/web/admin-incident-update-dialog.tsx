import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { type AdminIncident, listIncidents, updateIncident } from '../admin-contract.ts'
import { getStatus } from '../contract.ts'
import { updateForm } from './incident-form.ts'

interface Props {
  incident: AdminIncident
  returnTo: () => HTMLElement | null
}

const formId = 'incident-update'

/** A dialog that publishes an update of an incident. Open on first render; give it a new key for each opening. */
export function AdminIncidentUpdateDialog({ incident, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const send = useSend(updateIncident, [listIncidents, getStatus])
  const form = useSchemaForm({
    schema: updateForm,
    id: formId,
    fields: ['text', 'kind', 'plannedUntil'],
    defaultValues: { text: '', kind: '', plannedUntil: '' },
    onFailure: (message) => toast({ title: 'Not published', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (values) => {
    await send.mutateAsync({ params: { incidentId: incident.id }, body: { ...values, version: incident.version } })
    setOpen(false)
    toast({ title: 'Update published', description: incident.title })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Publish Update"
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The update has not been published yet."
      title="Update"
      description={incident.title}
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="What is new" {...form.field('text')}>
          <Textarea {...form.register('text')} rows={3} required />
        </Field>
        {incident.kind === 'maintenance' ? (
          <Field label="New planned end" optional hint="Unchanged, if empty." {...form.field('plannedUntil')}>
            <Input {...form.register('plannedUntil')} type="datetime-local" />
          </Field>
        ) : (
          <Field label="Kind" {...form.field('kind')}>
            <NativeSelect {...form.register('kind')}>
              <option value="">Unchanged</option>
              <option value="problem">Problem</option>
              <option value="outage">Outage</option>
            </NativeSelect>
          </Field>
        )}
      </form>
    </FormDialog>
  )
}
