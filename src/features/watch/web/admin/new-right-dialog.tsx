import { useSuspenseQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { categoryName } from '#features/catalog/rules.ts'
import { query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  createRights,
  getWatching,
  listRights,
  listWatchableChannels,
  rightForm,
  type WatchableChannel,
} from '../../admin-contract.ts'
import { RightFields, rightFields } from './right-fields.tsx'

/** Records a right for one channel or for all channels in a category. */
export function NewRightDialog({ returnTo }: { returnTo: () => HTMLElement | null }) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const { data } = useSuspenseQuery(query(listWatchableChannels))
  const channels = data.filter(({ hasStream }) => hasStream)
  const categories = Map.groupBy(channels, ({ category }) => category)
  const [chosen, choose] = useState(channels[0] ? `channel:${channels[0].id}` : '')
  const send = useSend(createRights, [listRights, getWatching, listWatchableChannels])
  const form = useSchemaForm({
    schema: rightForm,
    id,
    fields: rightFields,
    defaultValues: {
      licensor: '',
      source: '',
      territories: '',
      validFrom: '',
      validUntil: '',
      document: '',
      archiveHours: '0',
    },
  })
  const submit = form.onSubmit(async (values) => {
    const { created } = await send.mutateAsync({ body: { channelIds: idsOf(chosen, channels), ...values } })
    setOpen(false)
    toast({ title: 'Right recorded', description: `For ${created} ${created === 1 ? 'channel' : 'channels'}.` })
  })

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title="Record Right"
      description="A channel can be published for watching only while a right to it is in force."
      action="Record Right"
      dirty={form.isDirty}
      pending={form.pending}
      disabled={channels.length === 0}
      unsavedChanges="The right has not been recorded yet."
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      returnTo={returnTo}
    >
      <form id={`${id}-form`} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field
          label="Channels"
          hint={channels.length === 0 ? 'Import channels from your panel first, under Catalog.' : undefined}
        >
          <NativeSelect value={chosen} onChange={({ target }) => choose(target.value)}>
            <optgroup label="All channels in a category">
              {[...categories].map(([category, { length }]) => (
                <option key={category} value={`category:${category}`}>
                  {categoryName(category)} ({length})
                </option>
              ))}
            </optgroup>
            <optgroup label="One channel">
              {channels.map(({ id: channelId, name }) => (
                <option key={channelId} value={`channel:${channelId}`}>
                  {name}
                </option>
              ))}
            </optgroup>
          </NativeSelect>
        </Field>
        <RightFields form={form} />
      </form>
    </FormDialog>
  )
}

/** Returns the ids of the chosen channel or of the channels in the chosen category. `chosen`: `channel:ID` or `category:NAME`. */
function idsOf(chosen: string, channels: WatchableChannel[]): number[] {
  const [kind, value] = chosen.split(':')
  const matching = channels.filter(({ id, category }) =>
    kind === 'channel' ? String(id) === value : category === value,
  )
  return matching.map(({ id }) => id)
}
