import { useQuery } from '@tanstack/react-query'
import { listAllPlans } from '#features/catalog/admin-contract.ts'
import { getProvisioning } from '#features/provisioning/admin-contract.ts'
import { query } from '#web/data.ts'
import { SettingPlaceholder } from '../setting-placeholder.tsx'
import { PanelsCard } from './panels-card.tsx'
import { ProvisioningSetting } from './provisioning-setting.tsx'

/** The Provisioning section: loading, failed, or its form. */
export function ProvisioningPanel() {
  const setting = useQuery(query(getProvisioning))
  const plans = useQuery(query(listAllPlans))
  if (setting.data && plans.data)
    return (
      <div className="grid min-w-0 content-start gap-8">
        <ProvisioningSetting stored={setting.data} plans={plans.data} />
        <PanelsCard plans={plans.data} />
      </div>
    )
  const retry = () => {
    void setting.refetch()
    void plans.refetch()
  }
  return (
    <SettingPlaceholder
      title="Provisioning"
      error={setting.error ?? plans.error}
      pending={setting.isFetching || plans.isFetching}
      onRetry={retry}
    />
  )
}
