import { useQuery } from '@tanstack/react-query'
import { getMailServer } from '#features/mails/admin-server-contract.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { Note } from '#web/ui/note.tsx'
import { SettingPlaceholder } from '../setting-placeholder.tsx'
import { MailServerSetting } from './mail-server-setting.tsx'

/** The Mail Server section: loading, failed, set by the environment, or its form. */
export function MailServerPanel() {
  const { data, error, isFetching, refetch } = useQuery(query(getMailServer))
  if (!data)
    return <SettingPlaceholder title="Mail Server" error={error} pending={isFetching} onRetry={() => void refetch()} />
  const { environment } = data
  if (!environment) return <MailServerSetting stored={data} />
  return (
    <Card title="Mail Server">
      <Note tone="info">
        Emails are sent through {environment.host}, port {environment.port}, from {environment.sender}. This is set by{' '}
        <code>SMTP_URL</code> in the environment of the server, which takes precedence. To set the mail server here,
        remove it and restart.
      </Note>
    </Card>
  )
}
