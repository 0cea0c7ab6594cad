import { useQuery } from '@tanstack/react-query'
import { getMailboxSettings } from '#features/receipts/admin-mailbox-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MailboxSample } from './mailbox-sample.tsx'
import { MailboxSetting } from './mailbox-setting.tsx'

const lines = ['a', 'b', 'c', 'd']

/** The Payment Mailbox section: loading, failed, or its form. */
export function MailboxPanel() {
  const setting = useQuery(query(getMailboxSettings))
  if (setting.data)
    return (
      <div className="grid gap-6">
        <MailboxSetting stored={setting.data} />
        <MailboxSample />
      </div>
    )
  return (
    <Card title="Payment Mailbox">
      {setting.error ? (
        <ErrorState
          title="Error loading data"
          message={messageOf(setting.error)}
          pending={setting.isFetching}
          onRetry={() => void setting.refetch()}
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
