import { Suspense } from 'react'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { pagePart } from '#web/ui/hydration/page-part.ts'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { brokenLinkMessage } from '../rules.ts'
import { AuthFrame } from './auth-frame.tsx'
import { useLinkToken } from './use-link-token.ts'

const NewPasswordForm = pagePart(() => import('./new-password-form.tsx'), 'NewPasswordForm')

export function ResetPasswordPage() {
  const token = useLinkToken('/reset-password')
  return (
    <AuthFrame
      title="Set a new password"
      lead="Choose a password you do not use anywhere else. You will be logged out on all devices."
    >
      {token === undefined && <Skeleton className="h-72" />}
      {token && (
        <Suspense fallback={<Skeleton className="h-72" />}>
          <NewPasswordForm token={token} />
        </Suspense>
      )}
      {token === null && (
        <Note
          tone="bad"
          action={
            <ButtonLink to="/forgot-password" variant="ink" size="sm">
              Request a New Link
            </ButtonLink>
          }
        >
          {brokenLinkMessage}
        </Note>
      )}
    </AuthFrame>
  )
}
