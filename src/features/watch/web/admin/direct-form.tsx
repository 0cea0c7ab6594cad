import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '#kit/endpoint.ts'
import { callOf, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { ListField } from '#web/ui/form/list-field.tsx'
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { useMay } from '#web/ui/permission/use-may.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { directForm, getDirect, setDirect } from '../../admin-direct-contract.ts'
import { maxDirectHosts } from '../../direct-rules.ts'

type Stored = Pick<Output<typeof getDirect>, 'enabled' | 'hosts' | 'version'>

/** The switch for direct delivery and the list of hosts. If someone else has changed the setting, saving fails and the entered values are kept. */
export function DirectForm({ stored }: { stored: Stored }) {
  const client = useQueryClient()
  const mayEdit = useMay()('watching.edit')
  const [version, setVersion] = useState(stored.version)
  const send = useSend(setDirect, [getDirect])
  const form = useSchemaForm({
    schema: directForm,
    id: 'direct',
    fields: ['enabled', 'hosts'],
    defaultValues: { enabled: stored.enabled, hosts: stored.hosts },
    onFailure: (message) => toast({ title: 'Not saved', description: message, variant: 'destructive' }),
  })
  const show = ({ enabled, hosts, version: current }: Stored) => {
    setVersion(current)
    form.reset({ enabled, hosts })
  }
  const onSubmit = form.onSubmit(async (value) => {
    const saved = await send.mutateAsync({ body: { ...value, version } })
    show({ ...value, ...saved })
    toast({
      title: 'Direct delivery saved',
      description: 'The change applies to channels that are opened from now on.',
    })
  })
  const showCurrent = async () => show(await callOf(client)(getDirect, {}))
  return (
    <form noValidate className="grid gap-5" aria-labelledby="direct-delivery" onSubmit={onSubmit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <fieldset disabled={!mayEdit} className="contents">
        <Checkbox
          label="Browsers load streams directly from the panel where it allows this"
          {...form.field('enabled')}
          {...form.register('enabled')}
        />
        <ListField
          {...form.field('hosts')}
          legend="Hosts"
          hint={`The load balancers from which browsers may load streams, over https only. Names without https:// and without a path; at most ${maxDirectHosts}.`}
          noun="Host"
          maxItems={maxDirectHosts}
          values={form.watch('hosts')}
          onChange={(hosts) => form.setValue('hosts', hosts, form.asTyped)}
          errorAt={(index) => form.messageAt(`hosts.${index}`)}
        />
      </fieldset>
      {form.failure && form.problems.length === 0 && (
        <FormError message={form.failure} onReload={form.failureCode === 'stale' ? showCurrent : undefined} />
      )}
      {mayEdit && (
        <div className="flex flex-wrap items-center gap-3">
          <Button {...form.button}>Save Changes</Button>
          <p role="status" className="text-sm text-fg-2">
            {form.isDirty && 'Not saved yet'}
          </p>
        </div>
      )}
      <UnsavedChangesGuard when={form.isDirty && !form.pending} />
    </form>
  )
}
