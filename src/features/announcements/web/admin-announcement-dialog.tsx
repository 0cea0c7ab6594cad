import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listPlans } from '#features/catalog/contract.ts'
import { query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type AdminAnnouncement,
  createAnnouncement,
  emailsPerHour,
  listAnnouncements,
  previewAnnouncement,
  updateAnnouncement,
} from '../admin-contract.ts'
import { audienceNames } from '../rules.ts'
import { announcementForm, formOf } from './announcement-form.ts'

interface Props {
  /** Undefined for a new announcement. */
  draft?: AdminAnnouncement | undefined
  onSaved: (draft: AdminAnnouncement) => void
  returnTo: () => HTMLElement | null
}

const formId = 'announcement'
const kinds = [
  {
    value: 'service',
    title: 'About the service',
    description: 'Changes that customers must know about, such as a new payment address. No advertising.',
  },
  { value: 'news', title: 'News', description: 'New channels and offers. Emailed only to customers who want news.' },
]

/** Writes a draft of an announcement. The dialog is open on first render; give it a new key for each opening. */
export function AdminAnnouncementDialog({ draft, onSaved, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const { data: plans = [] } = useQuery(query(listPlans))
  const create = useSend(createAnnouncement, [listAnnouncements])
  const update = useSend(updateAnnouncement, [listAnnouncements, previewAnnouncement])
  const form = useSchemaForm({
    schema: announcementForm,
    id: formId,
    fields: [
      ...(['kind', 'title', 'summary', 'body', 'linkLabel', 'linkPath', 'audience'] as const),
      ...(['planIds', 'onSite', 'siteUntil', 'emails', 'perHour'] as const),
    ],
    defaultValues: formOf(draft),
    onFailure: (message) => toast({ title: 'Not saved', description: message, variant: 'destructive' }),
  })
  const [audience, onSite, emails] = [form.watch('audience'), form.watch('onSite'), form.watch('emails')]
  const submit = form.onSubmit(async (body) => {
    const saved = draft
      ? await update.mutateAsync({
          params: { announcementId: draft.id },
          body: { ...body, version: draft.version },
        })
      : await create.mutateAsync({ body })
    setOpen(false)
    onSaved(saved)
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Save and Review"
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The announcement has not been saved yet."
      title={draft ? 'Edit Announcement' : 'New Announcement'}
      description="Saved as a draft. You review and publish it in the next step."
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <RadioCards legend="Kind" columns={2} options={kinds} {...form.register('kind')} />
        <Field label="Title" hint="Also the subject of the email." {...form.field('title')}>
          <Input {...form.register('title')} autoComplete="off" required />
        </Field>
        <Field label="Summary" hint="One or two sentences, shown on the site." {...form.field('summary')}>
          <Textarea {...form.register('summary')} rows={2} required />
        </Field>
        <Field
          label="Details"
          optional
          hint="Shown in the email and under Messages. Empty lines separate paragraphs."
          {...form.field('body')}
        >
          <Textarea {...form.register('body')} rows={5} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Link text" optional {...form.field('linkLabel')}>
            <Input {...form.register('linkLabel')} autoComplete="off" />
          </Field>
          <Field label="Linked page" optional hint="A path on this site, such as /pricing." {...form.field('linkPath')}>
            <Input {...form.register('linkPath')} autoComplete="off" />
          </Field>
        </div>
        <Field label="Audience" {...form.field('audience')}>
          <NativeSelect {...form.register('audience')}>
            {Object.entries(audienceNames).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </NativeSelect>
        </Field>
        {audience === 'plans' && (
          <fieldset className="field">
            <legend className="field-label mb-1.5">Plans</legend>
            <div className="grid gap-1 sm:grid-cols-2">
              {plans.map(({ id, name }) => (
                <Checkbox key={id} label={name} value={String(id)} {...form.register('planIds')} />
              ))}
            </div>
            <p className="field-error" role="alert">
              {form.field('planIds').error}
            </p>
          </fieldset>
        )}
        <Checkbox
          id={`${formId}-onSite`}
          label="Show it on the site, below the header"
          error={form.field('onSite').error}
          {...form.register('onSite')}
        />
        {onSite && (
          <Field
            label="Until"
            optional
            hint="If empty, it is shown until you withdraw it."
            {...form.field('siteUntil')}
          >
            <Input {...form.register('siteUntil')} type="datetime-local" />
          </Field>
        )}
        <Checkbox label="Email it to the customers in this audience" {...form.register('emails')} />
        {emails && (
          <Field
            label="Emails per hour"
            hint="Many mail servers limit how many emails they accept per hour. Ask your provider for its limit."
            {...form.field('perHour')}
          >
            <Input
              {...form.register('perHour', { valueAsNumber: true })}
              type="number"
              min={emailsPerHour.min}
              max={emailsPerHour.max}
              required
            />
          </Field>
        )}
      </form>
    </FormDialog>
  )
}
