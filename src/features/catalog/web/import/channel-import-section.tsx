import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listChannels } from '#features/catalog/contract.ts'
import { iptvCredentials } from '#features/iptv/contract.ts'
import { messageOf } from '#kit/caller.ts'
import type { Output } from '#kit/endpoint.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { listAllChannels } from '../../admin-contract.ts'
import { getChannelLogos, importPanelChannels, previewChannelImport } from '../../admin-import-contract.ts'
import { channelCountText } from '../../rules.ts'
import { CleanedNames } from './cleaned-names.tsx'
import { ImportCategories } from './import-categories.tsx'
import { type Choice, chosenIds, sumOf } from './import-choice.ts'
import { PanelLogosSwitch } from './panel-logos-switch.tsx'

type Found = Output<typeof previewChannelImport>

/** The Import tab of the catalog: previews the panel's channels, then imports the chosen categories. */
export function ChannelImportSection() {
  const preview = useSend(previewChannelImport)
  const { data: logos } = useQuery(query(getChannelLogos))
  const send = useSend(importPanelChannels, [listAllChannels, listChannels, getChannelLogos])
  const [found, setFound] = useState<Found>()
  const [choice, setChoice] = useState<Choice>({})
  const [show, setShow] = useState(false)
  const form = useSchemaForm({ schema: iptvCredentials, id: 'import', fields: ['iptvUsername', 'iptvPassword'] })

  const showPreview = form.onSubmit(async (body) => {
    setFound(undefined)
    send.reset()
    const answer = await preview.mutateAsync({ body })
    setChoice(Object.fromEntries(answer.categories.map(({ id, suggested }) => [id, suggested])))
    setFound(answer)
  })
  const add = () => {
    const [iptvUsername, iptvPassword] = form.watch(['iptvUsername', 'iptvPassword'])
    send.mutate({ body: { iptvUsername, iptvPassword, categories: chosenIds(choice), show } })
  }
  const sum = found && sumOf(found.categories, choice)
  const nothingNew = sum !== undefined && sum.add + sum.map === 0
  const logosOnly = nothingNew && sum.known > 0 && logos?.fromPanel === true
  return (
    <Card title="Import from the panel" titleId="import-title">
      <PanelLogosSwitch />
      <form noValidate className="grid max-w-160 gap-5" aria-labelledby="import-title" onSubmit={showPreview}>
        <p className="text-fg-2">
          Adds the live channels of your panel to the catalog. You see a preview first. Channels show marks drawn from
          their names, unless you switch on the panel’s logos.
        </p>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field
          label="Line username"
          hint="Use a line that can watch all channels. Its credentials are not stored."
          {...form.field('iptvUsername')}
        >
          <Input {...form.register('iptvUsername')} autoComplete="off" spellCheck={false} />
        </Field>
        <Field label="Line password" {...form.field('iptvPassword')}>
          <PasswordInput {...form.register('iptvPassword')} autoComplete="off" />
        </Field>
        {form.failure && form.problems.length === 0 && (
          <Note tone="bad" role="alert">
            {form.failure}
          </Note>
        )}
        <div>
          <Button {...form.button}>Show what would be added</Button>
        </div>
      </form>
      {found && sum && !send.data && (
        <div className="mt-6 grid gap-5 border-t pt-6">
          <ImportCategories
            categories={found.categories}
            choice={choice}
            onChoose={(id, category) => setChoice({ ...choice, [id]: category })}
          />
          <p role="status">
            <b>{channelCountText(sum.add)} would be added</b>, {sum.map} matched to existing channels by name,{' '}
            {sum.known} already imported, {sum.double} with a name that is taken,{' '}
            {sum.skipped + found.radio + found.unnamed + found.separators.count} skipped ({found.radio} of them radio,{' '}
            {found.unnamed} without a name,{' '}
            {found.separators.count === 1 ? '1 separator' : `${found.separators.count} separators`}
            {found.separators.count > 0 && ` such as ${found.separators.names[0]}`}).
          </p>
          <CleanedNames renamed={found.renamed} />
          {sum.add + sum.map + sum.known + sum.double > found.most && (
            <Note tone="warn" role="alert">
              One import adds at most {channelCountText(found.most)}. Choose fewer categories.
            </Note>
          )}
          <Checkbox
            label="Show them in the public lineup immediately"
            hint="Otherwise they are hidden until you show them."
            checked={show}
            onChange={({ target }) => setShow(target.checked)}
          />
          {send.error && (
            <Note tone="bad" role="alert">
              {messageOf(send.error)}
            </Note>
          )}
          <div>
            <Button variant="primary" pending={send.isPending} disabled={nothingNew && !logosOnly} onClick={add}>
              {logosOnly ? `Fetch logos of ${channelCountText(sum.known)}` : `Add ${channelCountText(sum.add)}`}
            </Button>
          </div>
        </div>
      )}
      {send.data && (
        <Note tone="ok" role="status" className="mt-6">
          Added {channelCountText(send.data.counts.add)}, matched {send.data.counts.map} by name;{' '}
          {send.data.counts.known + send.data.counts.double} existed already, {send.data.skipped} skipped.
        </Note>
      )}
    </Card>
  )
}
