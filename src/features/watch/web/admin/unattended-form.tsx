import { useSend } from '#web/data.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PageForm } from '#web/ui/form/page-form.tsx'
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
    <PageForm
      form={form}
      mayEdit={mayEdit}
      saveVariant="line"
      className="mt-6 max-w-160"
      aria-label="Playback without input"
      onSubmit={onSubmit}
    >
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
    </PageForm>
  )
}
