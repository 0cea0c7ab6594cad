import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { ReferralCode } from './referral-code.tsx'

/** The referral code and credit, shown beside the subscription. */
export function ReferralCard() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  if (!user?.referralCode) return null
  return (
    <Card
      title="Referrals"
      titleId="referral-card-title"
      aside={
        <Badge variant="solid" className="num">
          {formatCents(user.accountCredit)} credit
        </Badge>
      }
    >
      <p className="mb-3 text-fg-2">Friends save on their first order with your code.</p>
      <ReferralCode code={user.referralCode} />
    </Card>
  )
}
