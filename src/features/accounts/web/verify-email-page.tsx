import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { refresh, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Note } from '#web/ui/note.tsx'
import { confirmEmail, getEmailVerification } from '../contract.ts'
import { brokenLinkMessage } from '../rules.ts'
import { AuthFrame } from './auth-frame.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Requires a click to confirm, because email scanners open links automatically. */
export function VerifyEmailPage() {
  const token = useLinkToken('/verify-email')
  const client = useQueryClient()
  const { mutate, isPending, error } = useSend(confirmEmail)
  const [confirmedMessage, setConfirmedMessage] = useState<string>()
  const confirm = () =>
    mutate(
      { body: { token: token ?? '' } },
      {
        onSuccess: ({ message }) => {
          setConfirmedMessage(message)
          void refresh(client, [getEmailVerification.id])
        },
      },
    )
  const errorMessage = error ? messageOf(error) : token === null ? brokenLinkMessage : undefined
  return (
    <AuthFrame
      title="Confirm your email address"
      lead="This makes sure that receipts, payment links and password resets reach you."
    >
      <div className="grid gap-5">
        <div role="status" className="empty:hidden">
          {confirmedMessage && <Note tone="ok">{confirmedMessage}</Note>}
          {errorMessage && !confirmedMessage && <Note tone="bad">{errorMessage}</Note>}
        </div>
        {!confirmedMessage && token && (
          <Button size="lg" wide pending={isPending} onClick={confirm}>
            Confirm My Address
          </Button>
        )}
        {(confirmedMessage || errorMessage) && (
          <ButtonLink to="/dashboard" variant="line" wide>
            My Account
          </ButtonLink>
        )}
      </div>
    </AuthFrame>
  )
}
