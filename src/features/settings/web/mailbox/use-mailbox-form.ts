import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getMailboxSettings, updateMailboxSettings } from '#features/receipts/admin-mailbox-contract.ts'
import { mailboxForm } from '#features/receipts/contract.ts'
import { ApiError } from '#kit/caller.ts'
import type { Output } from '#kit/endpoint.ts'
import { callOf, query, useSend } from '#web/data.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'

export type StoredMailbox = Output<typeof getMailboxSettings>
const title = 'Payment Mailbox'

/** The form of the Payment Mailbox section: the typed password is cleared after saving. */
export function useMailboxForm(stored: StoredMailbox) {
  const client = useQueryClient()
  const [{ version, passwordSet }, setStored] = useState(stored)
  const send = useSend(updateMailboxSettings)
  const form = useSchemaForm({
    schema: mailboxForm,
    id: 'mailbox',
    fields: [
      'enabled',
      'host',
      'port',
      'tls',
      'username',
      'password',
      'folder',
      'ca',
      'addresses',
      'accountNames',
      'accountEndings',
      'authservId',
    ],
    defaultValues: stored.value,
    onFailure: (message) => toast({ title: 'Settings not saved', description: message, variant: 'destructive' }),
  })
  const show = (now: StoredMailbox) => {
    setStored(now)
    form.reset(now.value)
    client.setQueryData(query(getMailboxSettings).queryKey, now)
  }
  const submit = form.onSubmit(async (value) => {
    try {
      show(await send.mutateAsync({ body: { version, value } }))
    } catch (error) {
      // The form holds only `value`, so its field paths have no prefix.
      if (error instanceof ApiError) for (const issue of error.issues) issue.path = issue.path.replace(/^value\./, '')
      throw error
    }
    const effect = value.enabled ? 'new emails are read from now on.' : 'emails are not read.'
    toast({ title: 'Settings saved', description: `Payment Mailbox: ${effect}` })
  })
  const showCurrent = async () => show(await callOf(client)(getMailboxSettings, {}))
  return { form, submit, showCurrent, title, passwordSet }
}
