import { useQueryClient } from '@tanstack/react-query'
import { query, useSend } from '#web/data.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { type AdminSetupGuide, guideForm, listAllSetupGuides, updateSetupGuide } from '../../admin-guides-contract.ts'
import { listSetupGuides } from '../../contract.ts'
import { setupDeviceOf, setupTabs } from '../../setup-rules.ts'
import { AdminEntryDialog } from './admin-entry-dialog.tsx'
import { AdminGuideSteps } from './admin-guide-steps.tsx'
import { useEntryForm } from './use-entry-form.ts'

const lists = [listAllSetupGuides, listSetupGuides]

interface Props {
  guide: AdminSetupGuide
  returnTo: () => HTMLElement | null
}

/** Edits the guide of a device: its app, its code and its steps. */
export function AdminGuideDialog({ guide, returnTo }: Props) {
  const client = useQueryClient()
  const update = useSend(updateSetupGuide, lists)
  const { name } = setupDeviceOf(guide.device)
  const entry = useEntryForm({
    noun: 'setup guide',
    nameOf: () => name,
    schema: guideForm,
    fields: ['tab', 'app', 'appUrl', 'code', 'steps', 'hidden'],
    entry: guide,
    valuesOf: (now) => ({
      tab: now?.tab ?? guide.tab,
      app: now?.app ?? '',
      appUrl: now?.appUrl ?? '',
      code: now?.code ?? '',
      steps: now?.steps ?? [],
      hidden: now?.hidden ?? true,
    }),
    update: ({ id, version }, values) => update.mutateAsync({ params: { guideId: id }, body: { ...values, version } }),
    reload: async ({ id }) =>
      (await client.fetchQuery({ ...query(listAllSetupGuides), staleTime: 0 })).find((each) => each.id === id),
  })
  const { form } = entry
  return (
    <AdminEntryDialog
      entry={entry}
      returnTo={returnTo}
      description={name}
      undeletableReason="A guide cannot be deleted. Hide it when the device is not offered."
    >
      <form id={entry.formId} noValidate className="grid gap-5" onSubmit={entry.submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Tab" hint="The tab of the setup page that shows this guide." {...form.field('tab')}>
          <NativeSelect {...form.register('tab')}>
            {setupTabs.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label="App" optional hint="If empty, the app from the settings is used." {...form.field('app')}>
          <Input {...form.register('app')} autoComplete="off" />
        </Field>
        <Field label="Address of the app" optional hint="In an app store, for example." {...form.field('appUrl')}>
          <Input {...form.register('appUrl')} type="url" inputMode="url" autoComplete="off" placeholder="https://" />
        </Field>
        <Field
          label="Code"
          optional
          hint="If empty, the downloader code from the settings is used."
          {...form.field('code')}
        >
          <Input {...form.register('code')} autoComplete="off" spellCheck={false} />
        </Field>
        <AdminGuideSteps
          {...form.field('steps')}
          steps={form.watch('steps')}
          onChange={(steps) => form.setValue('steps', steps, form.asTyped)}
          errorAt={(place) => form.messageAt(`steps.${place}`)}
        />
        <Checkbox
          label="Hidden"
          hint="Not shown on the setup page. Its tab says “coming soon” if it has no other guide to show."
          {...form.field('hidden')}
          {...form.register('hidden')}
        />
      </form>
    </AdminEntryDialog>
  )
}
