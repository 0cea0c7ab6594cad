import { useQuery } from '@tanstack/react-query'
import { getMailboxSettings } from '#features/receipts/admin-mailbox-contract.ts'
import { query } from '#web/data.ts'
import { May } from '#web/ui/permission/may.tsx'
import { SettingPlaceholder } from '../setting-placeholder.tsx'
import { MailboxSample } from './mailbox-sample.tsx'
import { MailboxSetting } from './mailbox-setting.tsx'
import { useConnectionAnswer } from './use-connection-answer.ts'

/** The Payment Mailbox section: loading, failed, or its form. */
export function MailboxPanel() {
  const { data, error, isFetching, refetch } = useQuery(query(getMailboxSettings))
  const isConnecting = useConnectionAnswer()
  if (!data || isConnecting)
    return (
      <SettingPlaceholder
        title="Payment Mailbox"
        error={error}
        pending={isFetching || isConnecting}
        onRetry={() => void refetch()}
      />
    )
  return (
    <div className="grid gap-6">
      <MailboxSetting stored={data} />
      <May needs="settings.edit">
        <MailboxSample />
      </May>
    </div>
  )
}
