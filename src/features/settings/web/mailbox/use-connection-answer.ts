import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { finishMailbox, getMailboxSettings } from '#features/receipts/admin-mailbox-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { toast } from '#web/ui/toast/toast.ts'

/**
 * Completes the OAuth connection after the mail service has sent the administrator back here, and removes its response from the URL. Returns whether this is
 * in progress.
 */
export function useConnectionAnswer(): boolean {
  const { state, code, error }: Record<string, unknown> = useSearch({ strict: false })
  const client = useQueryClient()
  const navigate = useNavigate()
  const finish = useSend(finishMailbox)
  const isSent = useRef(false)
  const isAnswer = state !== undefined && (code !== undefined || error !== undefined)
  useEffect(() => {
    if (!isAnswer || isSent.current) return
    isSent.current = true
    const refused = (description: string) =>
      toast({ title: 'Account not connected', description, variant: 'destructive' })
    const send = async () => {
      if (code === undefined) return refused('The mail service did not allow the access.')
      try {
        const stored = await finish.mutateAsync({ body: { state: String(state), code: String(code) } })
        client.setQueryData(query(getMailboxSettings).queryKey, stored)
        toast({ title: 'Account connected', description: `The mailbox of ${stored.value.username} can be read now.` })
      } catch (failure) {
        refused(messageOf(failure))
      }
    }
    void send().finally(() => navigate({ to: '.', search: { section: 'mailbox' } as never, replace: true }))
  })
  return isAnswer
}
