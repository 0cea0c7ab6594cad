import { useQuery } from '@tanstack/react-query'
import { getMailboxSettings } from '#features/receipts/admin-mailbox-contract.ts'
import { query } from '#web/data.ts'
import { SettingPlaceholder } from '../setting-placeholder.tsx'
import { MailboxSample } from './mailbox-sample.tsx'
import { MailboxSetting } from './mailbox-setting.tsx'

/** The Payment Mailbox section: loading, failed, or its form. */
export function MailboxPanel() {
  const { data, error, isFetching, refetch } = useQuery(query(getMailboxSettings))
  if (!data)
    return (
      <SettingPlaceholder title="Payment Mailbox" error={error} pending={isFetching} onRetry={() => void refetch()} />
    )
  return (
    <div className="grid gap-6">
      <MailboxSetting stored={data} />
      <MailboxSample />
    </div>
  )
}
