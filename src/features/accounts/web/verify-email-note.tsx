import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { createEmailVerification, getEmailVerification } from '../contract.ts'

/** Asks the user to confirm their email address, if the operator uses verification and the address is not confirmed yet. */
export function VerifyEmailNote({ className }: { className?: string }) {
  const { data } = useQuery(query(getEmailVerification))
  const { mutate, isPending } = useSend(createEmailVerification)
  if (!data || data.verified || data.mode === 'off') return null
  const resend = () =>
    mutate({} as never, {
      onSuccess: ({ message }) => toast({ title: 'Link sent', description: message }),
      onError: (error) =>
        toast({ title: 'Failed to send a link', description: messageOf(error), variant: 'destructive' }),
    })
  return (
    <Note
      tone="warn"
      className={className}
      action={
        <Button variant="ink" size="sm" pending={isPending} onClick={resend}>
          Send Another Link
        </Button>
      }
    >
      Please confirm {data.email} with the link we emailed you
      {data.mode === 'required' && '. You cannot order anything until then'}.
    </Note>
  )
}
