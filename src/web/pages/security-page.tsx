import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { VerifyEmailNote } from '#features/accounts/web/verify-email-note.tsx'
import { PasskeysCard } from '#features/passkeys/web/passkeys-card.tsx'
import { SessionsCard } from '#features/sessions/web/sessions-card.tsx'
import { TwoFactorCard } from '#features/two-factor/web/two-factor-card.tsx'
import { query } from '../data.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'

/** Account Security: two-step verification, passkeys and sessions. */
export function SecurityPage() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  if (!user) return null
  return (
    <div className="min-h-[calc(100svh-4.5rem)] bg-sunken">
      <div className="wrap page">
        <PageHeader
          title="Account Security"
          lead="How you sign in, and where you are logged in."
          actions={
            <ButtonLink to="/dashboard" variant="line">
              Back to My Account
            </ButtonLink>
          }
        />
        <div className="grid gap-5">
          <VerifyEmailNote />
          <TwoFactorCard />
          <PasskeysCard />
          <SessionsCard />
        </div>
      </div>
    </div>
  )
}
