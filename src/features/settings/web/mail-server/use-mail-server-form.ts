import { useQuery, useQueryClient } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { getMailServer, type StoredMailServer, updateMailServer } from '#features/mails/admin-server-contract.ts'
import { mailServerForm } from '#features/mails/contract.ts'
import { callOf, query, useSend } from '#web/data.ts'
import { useOwnSettingForm } from '../use-own-setting-form.ts'

/** The form of the Mail Server section, and the address that the test email goes to. */
export function useMailServerForm(stored: StoredMailServer) {
  const client = useQueryClient()
  const send = useSend(updateMailServer)
  const { data: user } = useQuery(query(currentUser))
  const recipient = user?.email ?? 'you'
  const setting = useOwnSettingForm({
    title: 'Mail Server',
    id: 'mail-server',
    schema: mailServerForm,
    fields: ['host', 'username', 'password', 'address', 'name', 'port', 'ca'],
    stored,
    shownOf: ({ value }) => value,
    save: (body) => send.mutateAsync({ body }),
    load: () => callOf(client)(getMailServer, {}),
    onShown: (now) => client.setQueryData(query(getMailServer).queryKey, now),
    saved: () => `a test email was sent to ${recipient}. Check that it arrived.`,
  })
  return { ...setting, recipient }
}
