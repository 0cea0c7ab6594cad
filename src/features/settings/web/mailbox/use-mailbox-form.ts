import { useQueryClient } from '@tanstack/react-query'
import { getMailboxSettings, updateMailboxSettings } from '#features/receipts/admin-mailbox-contract.ts'
import { mailboxForm } from '#features/receipts/contract.ts'
import type { Output } from '#kit/endpoint.ts'
import { callOf, query, useSend } from '#web/data.ts'
import { useOwnSettingForm } from '../use-own-setting-form.ts'

export type StoredMailbox = Output<typeof getMailboxSettings>

/** The form of the Payment Mailbox section. */
export function useMailboxForm(stored: StoredMailbox) {
  const client = useQueryClient()
  const send = useSend(updateMailboxSettings)
  return useOwnSettingForm({
    title: 'Payment Mailbox',
    id: 'mailbox',
    schema: mailboxForm,
    fields: [
      'enabled',
      'host',
      'port',
      'tls',
      'username',
      'login',
      'password',
      'clientId',
      'clientSecret',
      'authorizeUrl',
      'exchangeUrl',
      'scope',
      'folder',
      'ca',
      'addresses',
      'accountNames',
      'accountEndings',
      'authservId',
      'newTickets',
    ],
    stored,
    shownOf: ({ value }) => value,
    save: (body) => send.mutateAsync({ body }),
    load: () => callOf(client)(getMailboxSettings, {}),
    onShown: (now) => client.setQueryData(query(getMailboxSettings).queryKey, now),
    saved: ({ enabled }) => (enabled ? 'new emails are read from now on.' : 'emails are not read.'),
  })
}
