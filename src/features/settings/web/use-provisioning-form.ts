import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getProvisioning, updateProvisioning } from '#features/provisioning/admin-contract.ts'
import { provisioningForm } from '#features/provisioning/contract.ts'
import { ApiError } from '#kit/caller.ts'
import type { Output } from '#kit/endpoint.ts'
import { callOf, query, useSend } from '#web/data.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'

export type StoredProvisioning = Output<typeof getProvisioning>
const title = 'Provisioning'

/** The form of the Provisioning section: like `useSettingForm`, but the typed key is cleared after saving. */
export function useProvisioningForm(stored: StoredProvisioning, planIds: readonly number[]) {
  const client = useQueryClient()
  const [{ version, keySet }, setStored] = useState(stored)
  const send = useSend(updateProvisioning)
  const withEveryPlan = ({ value }: StoredProvisioning) => ({
    ...value,
    packages: Object.fromEntries(planIds.map((id) => [String(id), value.packages[String(id)] ?? ''])),
  })
  const form = useSchemaForm({
    schema: provisioningForm,
    id: 'provisioning',
    fields: ['kind', 'address', 'username', 'key', 'ca', 'server', 'graceDays', 'packages', 'trialPackage'],
    defaultValues: withEveryPlan(stored),
    onFailure: (message) => toast({ title: 'Settings not saved', description: message, variant: 'destructive' }),
  })
  const show = (now: StoredProvisioning) => {
    setStored(now)
    form.reset(withEveryPlan(now))
    client.setQueryData(query(getProvisioning).queryKey, now)
  }
  const submit = form.onSubmit(async (value) => {
    try {
      show(await send.mutateAsync({ body: { version, value } }))
    } catch (error) {
      // The form holds only `value`, so its field paths have no prefix.
      if (error instanceof ApiError) for (const issue of error.issues) issue.path = issue.path.replace(/^value\./, '')
      throw error
    }
    toast({ title: 'Settings saved', description: 'Provisioning: the change applies to new requests from now on.' })
  })
  const showCurrent = async () => show(await callOf(client)(getProvisioning, {}))
  return { form, submit, showCurrent, title, keySet }
}
