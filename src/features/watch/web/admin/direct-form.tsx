import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '#kit/endpoint.ts'
import { callOf, useSend } from '#web/data.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ListField } from '#web/ui/form/list-field.tsx'
import { PageForm } from '#web/ui/form/page-form.tsx'
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
  return (
    <PageForm
      form={form}
      mayEdit={mayEdit}
      showCurrent={async () => show(await callOf(client)(getDirect, {}))}
      aria-labelledby="direct-delivery"
      onSubmit={onSubmit}
    >
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
    </PageForm>
  )
}
