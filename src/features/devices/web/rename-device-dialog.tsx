import { useState } from 'react'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type Device, deviceName, listDevices, renameDevice } from '../contract.ts'
import { nameLength } from '../rules.ts'

/** A dialog that renames a device. Open on first render; give it a new key for each opening. */
export function RenameDeviceDialog({ device, returnTo }: { device: Device; returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const send = useSend(renameDevice, [listDevices])
  const form = useSchemaForm({
    schema: deviceName,
    id: 'device',
    fields: ['name'],
    defaultValues: { name: device.name },
  })
  const submit = form.onSubmit(async (body) => {
    await send.mutateAsync({ params: { deviceId: device.id }, body })
    setOpen(false)
    toast({ title: 'Device renamed', description: `The device is now called ${body.name}.` })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId="rename-device"
      action="Rename"
      pending={form.pending}
      title={`Rename ${device.name}`}
      sheet
      keepOnOutsidePress
      returnTo={returnTo}
    >
      <form id="rename-device" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field
          label="Name"
          hint={`At most ${nameLength} characters, for example “Living room”.`}
          {...form.field('name')}
        >
          <Input {...form.register('name')} autoComplete="off" maxLength={nameLength} required />
        </Field>
        {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
      </form>
    </FormDialog>
  )
}
