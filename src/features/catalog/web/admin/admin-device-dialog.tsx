import { useQueryClient } from '@tanstack/react-query'
import { query, useSend } from '#web/data.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { ListField } from '#web/ui/form/list-field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import {
  type AdminDeviceCategory,
  createDeviceCategory,
  deleteDeviceCategory,
  listAllDeviceCategories,
  newDeviceCategory,
  updateDeviceCategory,
} from '../../admin-contract.ts'
import { listDeviceCategories } from '../../contract.ts'
import { deviceIconOf, deviceIcons } from '../../rules.ts'
import { AdminEntryDialog } from './admin-entry-dialog.tsx'
import { useEntryForm } from './use-entry-form.ts'

const lists = [listAllDeviceCategories, listDeviceCategories]

export function AdminDeviceDialog({
  category,
  returnTo,
}: {
  category: AdminDeviceCategory | null
  returnTo: () => HTMLElement | null
}) {
  const client = useQueryClient()
  const create = useSend(createDeviceCategory, lists)
  const update = useSend(updateDeviceCategory, lists)
  const remove = useSend(deleteDeviceCategory, lists)
  const entry = useEntryForm({
    noun: 'device category',
    nameOf: ({ name }: AdminDeviceCategory) => name,
    schema: newDeviceCategory,
    fields: ['name', 'icon', 'devices', 'hidden'],
    entry: category,
    valuesOf: (now) => ({
      name: now?.name ?? '',
      icon: deviceIconOf(now?.icon ?? ''),
      devices: now?.devices ?? [''],
      hidden: now?.hidden ?? false,
    }),
    create: (body) => create.mutateAsync({ body }),
    update: ({ id, version }, values) =>
      update.mutateAsync({ params: { categoryId: id }, body: { ...values, version } }),
    remove: ({ id, version }) => remove.mutateAsync({ params: { categoryId: id }, query: { version } }),
    reload: async ({ id }) =>
      (await client.fetchQuery({ ...query(listAllDeviceCategories), staleTime: 0 })).find((each) => each.id === id),
  })
  const { form } = entry
  return (
    <AdminEntryDialog entry={entry} returnTo={returnTo} description="Shown on the home page and the Devices page.">
      <form id={entry.formId} noValidate className="grid gap-5" onSubmit={entry.submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" required />
        </Field>
        <Field label="Icon" {...form.field('icon')}>
          <NativeSelect {...form.register('icon')}>
            {deviceIcons.map((icon) => (
              <option key={icon} value={icon}>
                {icon.charAt(0).toUpperCase() + icon.slice(1)}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <ListField
          {...form.field('devices')}
          legend="Devices"
          noun="Device"
          values={form.watch('devices')}
          onChange={(devices) => form.setValue('devices', devices, form.asTyped)}
          errorAt={(index) => form.messageAt(`devices.${index}`)}
        />
        <Checkbox
          label="Hidden"
          hint="Stays in this list but is not shown on any page."
          {...form.field('hidden')}
          {...form.register('hidden')}
        />
      </form>
    </AdminEntryDialog>
  )
}
