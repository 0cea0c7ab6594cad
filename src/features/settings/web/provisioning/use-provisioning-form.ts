import { useQueryClient } from '@tanstack/react-query'
import { getProvisioning, updateProvisioning } from '#features/provisioning/admin-contract.ts'
import { provisioningForm } from '#features/provisioning/contract.ts'
import type { Output } from '#kit/endpoint.ts'
import { callOf, query, useSend } from '#web/data.ts'
import { useOwnSettingForm } from '../use-own-setting-form.ts'

export type StoredProvisioning = Output<typeof getProvisioning>

/** The form of the Provisioning section. */
export function useProvisioningForm(stored: StoredProvisioning, planIds: readonly number[]) {
  const client = useQueryClient()
  const send = useSend(updateProvisioning)
  return useOwnSettingForm({
    title: 'Provisioning',
    id: 'provisioning',
    schema: provisioningForm,
    fields: ['kind', 'address', 'username', 'key', 'ca', 'server', 'graceDays', 'packages', 'trialPackage'],
    stored,
    shownOf: ({ value }) => ({
      ...value,
      packages: Object.fromEntries(planIds.map((id) => [String(id), value.packages[String(id)] ?? ''])),
    }),
    save: (body) => send.mutateAsync({ body }),
    load: () => callOf(client)(getProvisioning, {}),
    onShown: (now) => client.setQueryData(query(getProvisioning).queryKey, now),
    saved: () => 'the change applies to new requests from now on.',
  })
}
