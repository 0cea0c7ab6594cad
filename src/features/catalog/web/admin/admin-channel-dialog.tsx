import { useQueryClient } from '@tanstack/react-query'
import { uploadImage } from '#features/images/admin-contract.ts'
import { imageFiles } from '#features/images/rules.ts'
import { markLogo, markName } from '#kit/mark-logo.ts'
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import { callOf, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FileUpload } from '#web/ui/form/file-upload.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import {
  type AdminChannel,
  createChannel,
  deleteChannel,
  listAllChannels,
  newChannel,
  updateChannel,
} from '../../admin-contract.ts'
import { listChannels } from '../../contract.ts'
import { channelCategories } from '../../rules.ts'
import { AdminEntryDialog } from './admin-entry-dialog.tsx'
import { useEntryForm } from './use-entry-form.ts'

export function AdminChannelDialog({
  channel,
  returnTo,
}: {
  channel: AdminChannel | null
  returnTo: () => HTMLElement | null
}) {
  const client = useQueryClient()
  const create = useSend(createChannel, [listAllChannels, listChannels])
  const update = useSend(updateChannel, [listAllChannels, listChannels])
  const remove = useSend(deleteChannel, [listAllChannels, listChannels])
  const upload = useSend(uploadImage)
  const entry = useEntryForm({
    noun: 'channel',
    nameOf: ({ name }: AdminChannel) => name,
    schema: newChannel,
    fields: ['name', 'category', 'logo', 'previewUrl', 'featured', 'hidden'],
    entry: channel,
    valuesOf: (now) => ({
      name: now?.name ?? '',
      category: now?.category ?? 'entertainment',
      logo: !now || markName(now.logo) !== null ? '' : now.logo,
      previewUrl: now?.previewUrl ?? '',
      featured: now?.featured ?? false,
      hidden: now?.hidden ?? false,
    }),
    create: (body) => create.mutateAsync({ body }),
    update: ({ id, version }, values) =>
      update.mutateAsync({ params: { channelId: id }, body: { ...values, version } }),
    remove: ({ id, version }) => remove.mutateAsync({ params: { channelId: id }, query: { version } }),
    reload: async ({ id }) =>
      (await callOf(client)(listAllChannels, { query: { pageSize: 500 } })).rows.find((each) => each.id === id),
  })
  const { form } = entry
  const uploadLogo = async (body: Uint8Array<ArrayBuffer>) => {
    const { path } = await upload.mutateAsync({ query: { use: 'channel' }, body })
    form.setValue('logo', path, form.asTyped)
  }
  const [name, logo] = [form.watch('name'), form.watch('logo')]
  return (
    <AdminEntryDialog
      entry={entry}
      returnTo={returnTo}
      description="The lineup sorts channels by category, then by name."
    >
      <form id={entry.formId} noValidate className="grid gap-5" onSubmit={entry.submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" required />
        </Field>
        <Field label="Category" {...form.field('category')}>
          <NativeSelect {...form.register('category')}>
            {channelCategories.map(({ id, name: label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <div className="flex items-start gap-4 max-sm:flex-col">
          <div className="channel-sample flex-none">
            <ChannelLogo logo={logo.startsWith('/') ? logo : markLogo(name || 'New')} />
          </div>
          <div className="grid w-full gap-3">
            <Field
              label="Logo"
              optional
              hint="Upload a PNG, JPEG or WebP image, or enter the path of an image on this site. If empty, a logo is generated from the name."
              {...form.field('logo')}
            >
              <Input {...form.register('logo')} autoComplete="off" spellCheck={false} />
            </Field>
            <div className="flex flex-wrap items-start gap-2">
              <FileUpload {...imageFiles} label={logo ? 'Replace logo' : 'Upload logo'} upload={uploadLogo} />
              {logo && (
                <Button variant="ghost" size="sm" onClick={() => form.setValue('logo', '', form.asTyped)}>
                  Remove logo
                </Button>
              )}
            </div>
          </div>
        </div>
        <Field
          label="Preview"
          optional
          hint="The path of a stream, video or image on this site."
          {...form.field('previewUrl')}
        >
          <Input {...form.register('previewUrl')} autoComplete="off" spellCheck={false} />
        </Field>
        <Checkbox
          label="Featured"
          hint="Shown first on the home page."
          {...form.field('featured')}
          {...form.register('featured')}
        />
        <Checkbox
          label="Hidden"
          hint="Stays in this list but is not shown in the lineup."
          {...form.field('hidden')}
          {...form.register('hidden')}
        />
      </form>
    </AdminEntryDialog>
  )
}
