import { useState } from 'react'
import { channelCategories } from '#features/catalog/rules.ts'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { listIncidents, openIncident } from '../admin-contract.ts'
import { getStatus } from '../contract.ts'
import { emptyIncident, newIncidentForm } from './incident-form.ts'

const formId = 'new-incident'
const kinds = [
  { value: 'problem', title: 'Problem', description: 'Something works badly.' },
  { value: 'outage', title: 'Outage', description: 'Something does not work.' },
  { value: 'maintenance', title: 'Maintenance', description: 'Planned, with an end.' },
]

/** A dialog that publishes an incident or planned maintenance. Open on first render; give it a new key for each opening. */
export function AdminNewIncidentDialog({ returnTo }: { returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const send = useSend(openIncident, [listIncidents, getStatus])
  const form = useSchemaForm({
    schema: newIncidentForm,
    id: formId,
    fields: ['kind', 'title', 'text', 'startsAt', 'plannedUntil', 'categories', 'channels'],
    defaultValues: emptyIncident,
    onFailure: (message) => toast({ title: 'Not published', description: message, variant: 'destructive' }),
  })
  const isPlanned = form.watch('kind') === 'maintenance'
  const submit = form.onSubmit(async (body) => {
    await send.mutateAsync({ body })
    setOpen(false)
    toast({ title: 'Published', description: `The status page shows “${body.title}”.` })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Publish"
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="Nothing has been published yet."
      title="New Incident"
      description="Published on the status page for everyone."
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <RadioCards legend="Kind" columns={3} options={kinds} {...form.register('kind')} />
        <Field label="Title" {...form.field('title')}>
          <Input {...form.register('title')} autoComplete="off" required />
        </Field>
        <Field label="What customers should know" {...form.field('text')}>
          <Textarea {...form.register('text')} rows={3} required />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Start" optional hint="Now, if empty." {...form.field('startsAt')}>
            <Input {...form.register('startsAt')} type="datetime-local" />
          </Field>
          {isPlanned && (
            <Field
              label="Planned end"
              hint="Maintenance ends automatically at this time."
              {...form.field('plannedUntil')}
            >
              <Input {...form.register('plannedUntil')} type="datetime-local" required />
            </Field>
          )}
        </div>
        <fieldset className="field">
          <legend className="field-label mb-1.5">
            Channel groups<span className="field-optional"> (optional)</span>
          </legend>
          <div className="grid gap-1 sm:grid-cols-2">
            {channelCategories.map(({ id, name }) => (
              <Checkbox key={id} label={name} value={id} {...form.register('categories')} />
            ))}
          </div>
        </fieldset>
        <Field
          label="Channels"
          optional
          hint="One name per line. Without any group or channel, the incident affects the whole service."
          {...form.field('channels')}
        >
          <Textarea {...form.register('channels')} rows={2} />
        </Field>
      </form>
    </FormDialog>
  )
}
