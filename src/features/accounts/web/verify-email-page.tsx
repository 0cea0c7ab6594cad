import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { refresh, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { ButtonLink } from '#web/ui/button-link.tsx'
import { Note } from '#web/ui/note.tsx'
import { confirmEmail, getEmailVerification } from '../contract.ts'
import { brokenLinkMessage } from '../rules.ts'
import { AuthFrame } from './auth-frame.tsx'
import { useTokenOfAddress } from './use-token-of-address.ts'

/** Confirmed with a press, not by opening: programs that look into mails open links too. */
export function VerifyEmailPage() {
  const token = useTokenOfAddress('/verify-email')
  const client = useQueryClient()
  const { mutate, isPending, error } = useSend(confirmEmail)
  const [told, setTold] = useState<string>()
  const confirm = () =>
    mutate(
      { body: { token: token ?? '' } },
      {
        onSuccess: ({ message }) => {
          setTold(message)
          void refresh(client, [getEmailVerification.id])
        },
      },
    )
  const trouble = error ? messageOf(error) : token === null ? brokenLinkMessage : undefined
  return (
    <AuthFrame
      title="Confirm your email address"
      lead="So that receipts, payment links and a way back into your account reach you."
    >
      <div className="grid gap-5">
        <div role="status" className="empty:hidden">
          {told && <Note tone="ok">{told}</Note>}
          {trouble && !told && <Note tone="bad">{trouble}</Note>}
        </div>
        {!told && token && (
          <Button size="lg" wide pending={isPending} onClick={confirm}>
            Confirm My Address
          </Button>
        )}
        {(told || trouble) && (
          <ButtonLink to="/dashboard" variant="line" wide>
            My Account
          </ButtonLink>
        )}
      </div>
    </AuthFrame>
  )
}
