import { useQuery } from '@tanstack/react-query'
import { listProcessors } from '#features/receipts/admin-processor-contract.ts'
import { query } from '#web/data.ts'
import { SettingPlaceholder } from '../setting-placeholder.tsx'
import { ProcessorSetting } from './processor-setting.tsx'

/** The Payment Processors section: loading, failed, or one card for each processor. */
export function ProcessorsPanel() {
  const { data, error, isFetching, refetch } = useQuery({ ...query(listProcessors), refetchOnMount: 'always' })
  if (!data)
    return (
      <SettingPlaceholder
        title="Payment Processors"
        error={error}
        pending={isFetching}
        onRetry={() => void refetch()}
      />
    )
  return (
    <div className="grid gap-6">
      {data.map((processor) => (
        <ProcessorSetting key={processor.name} stored={processor} />
      ))}
    </div>
  )
}
