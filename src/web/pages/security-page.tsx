import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { VerifyEmailNote } from '#features/accounts/web/verify-email-note.tsx'
import { PasskeysCard } from '#features/passkeys/web/passkeys-card.tsx'
import { SessionsCard } from '#features/sessions/web/sessions-card.tsx'
import { TwoFactorCard } from '#features/two-factor/web/two-factor-card.tsx'
import { query } from '../data.ts'
import { AccountFrame } from './dashboard/account-frame.tsx'

/** Account Security: two-step verification, passkeys and sessions. */
export function SecurityPage() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  if (!user) return null
  return (
    <AccountFrame title="Account Security" lead="How you sign in, and where you are logged in.">
      <div className="grid max-w-[48rem] gap-5">
        <VerifyEmailNote />
        <TwoFactorCard />
        <PasskeysCard />
        <SessionsCard />
      </div>
    </AccountFrame>
  )
}
