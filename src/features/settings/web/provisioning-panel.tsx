import { useQuery } from '@tanstack/react-query'
import { listAllPlans } from '#features/catalog/admin-contract.ts'
import { getProvisioning } from '#features/provisioning/admin-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ProvisioningSetting } from './provisioning-setting.tsx'

const lines = ['a', 'b', 'c', 'd']

/** The Provisioning section: loading, failed, or its form. */
export function ProvisioningPanel() {
  const setting = useQuery(query(getProvisioning))
  const plans = useQuery(query(listAllPlans))
  if (setting.data && plans.data) return <ProvisioningSetting stored={setting.data} plans={plans.data} />
  const error = setting.error ?? plans.error
  const again = () => {
    void setting.refetch()
    void plans.refetch()
  }
  return (
    <Card title="Provisioning">
      {error ? (
        <ErrorState
          title="Error loading data"
          message={messageOf(error)}
          pending={setting.isFetching || plans.isFetching}
          onRetry={again}
        />
      ) : (
        <div className="grid max-w-160 gap-6" aria-busy="true">
          <span className="sr-only">Loading</span>
          {lines.map((line) => (
            <Skeleton key={line} className="h-11 w-full" />
          ))}
        </div>
      )}
    </Card>
  )
}
