import { useSearch } from '@tanstack/react-router'
import { AuthFrame } from '#features/accounts/web/auth-frame.tsx'
import { unsubscribe } from '#features/announcements/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '../data.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Note } from '../ui/note.tsx'

/** /unsubscribe: turns off news emails without a login. Requires a click on a button, because email scanners open links automatically. */
export function UnsubscribePage() {
  const { token: sent } = useSearch({ from: '/unsubscribe' })
  const token = typeof sent === 'string' && sent
  const { mutate, isPending, data, error } = useSend(unsubscribe)
  return (
    <AuthFrame title="Unsubscribe" lead="Turn off emails with news and offers.">
      <div className="grid gap-5">
        <div role="status" className="empty:hidden">
          {data && <Note tone="ok">{data.message}</Note>}
          {error && <Note tone="bad">{messageOf(error)}</Note>}
        </div>
        {!data && token && (
          <Button size="lg" wide pending={isPending} onClick={() => mutate({ query: { token } })}>
            Unsubscribe
          </Button>
        )}
        {!data && !token && <Note tone="bad">This link is incomplete. Please open it from the email again.</Note>}
        <p className="text-sm text-fg-2">
          Emails about your orders, your subscription and the security of your account are still sent.
        </p>
        <ButtonLink to="/messages/{-$ticketId}" params={{ ticketId: undefined }} variant="line" wide>
          My Messages
        </ButtonLink>
      </div>
    </AuthFrame>
  )
}
