import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { useMay } from '#web/ui/permission/use-may.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { getWatching, setUnattended, unattendedForm } from '../../admin-contract.ts'

/** Sets after how many hours without input players stop and ask whether the viewer is still there. */
export function UnattendedForm({ stored }: { stored: number }) {
  const mayEdit = useMay()('watching.edit')
  const send = useSend(setUnattended, [getWatching])
  const form = useSchemaForm({
    schema: unattendedForm,
    id: 'unattended',
    fields: ['unattendedHours'],
    defaultValues: { unattendedHours: stored },
    onFailure: (message) => toast({ title: 'Not saved', description: message, variant: 'destructive' }),
  })
  const onSubmit = form.onSubmit(async (body) => {
    form.reset(await send.mutateAsync({ body }))
    toast({ title: 'Saved', description: 'Pages that are open apply the change after a reload.' })
  })
  return (
    <form noValidate className="mt-6 grid max-w-160 gap-4" aria-label="Playback without input" onSubmit={onSubmit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <fieldset disabled={!mayEdit} className="contents">
        <Field
          {...form.field('unattendedHours')}
          label="Hours without input until playback stops"
          hint="The player then asks “Are you still there?”, and the screen is free for another device. With 0, playback never stops for this reason."
        >
          <Input
            {...form.register('unattendedHours', { valueAsNumber: true })}
            type="number"
            inputMode="numeric"
            min={0}
            max={24}
            required
          />
        </Field>
      </fieldset>
      {form.failure && form.problems.length === 0 && <FormError message={form.failure} />}
      {mayEdit && (
        <div className="flex flex-wrap items-center gap-3">
          <Button {...form.button} variant="line">
            Save Changes
          </Button>
          <p role="status" className="text-sm text-fg-2">
            {form.isDirty && 'Not saved yet'}
          </p>
        </div>
      )}
      <UnsavedChangesGuard when={form.isDirty && !form.pending} />
    </form>
  )
}
