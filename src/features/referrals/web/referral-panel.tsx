import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { getAccountCredit, getReferralInfo } from '../contract.ts'
import { CreditHistory } from './credit-history.tsx'
import { PendingCredit } from './pending-credit.tsx'
import { ReferralCode } from './referral-code.tsx'
import { ShareButton } from './share-button.tsx'

/** The Referrals tab of My Account. Loaded when opened; errors are shown in the tab. */
export function ReferralPanel() {
  const info = useQuery(query(getReferralInfo))
  const credit = useQuery(query(getAccountCredit))
  const failed = info.error ?? credit.error
  const retry = () => void Promise.all([info.refetch(), credit.refetch()])
  const badge = credit.data && (
    <Badge variant="solid" className="num">
      {credit.data.formattedBalance} credit
    </Badge>
  )

  if (failed)
    return (
      <Card title="Referrals">
        <ErrorState
          title="Error loading your referrals"
          message={messageOf(failed)}
          onRetry={retry}
          pending={info.isFetching || credit.isFetching}
        />
      </Card>
    )
  return (
    <div className="grid gap-5">
      <Card title="Referrals" titleId="referrals-title" aside={badge}>
        {!info.data && <Skeleton className="h-44" />}
        {info.data && !info.data.referralCode && (
          <p className="text-fg-2">No referral code available. Please refresh the page.</p>
        )}
        {info.data?.referralCode && (
          <div className="grid gap-5">
            <p className="max-w-[60ch] text-fg-2">
              Give a friend your code. They save on their first order, and you earn account credit. You can spend it
              once the money-back guarantee of their payment has ended.
            </p>
            <ReferralCode code={info.data.referralCode} />
            <div>
              <p className="text-sm text-fg-2">Share link</p>
              <div className="mt-1.5 flex flex-wrap items-center gap-2">
                <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{info.data.shareUrl}</span>
                <ShareButton message={info.data.shareMessage} />
              </div>
            </div>
          </div>
        )}
      </Card>
      <Card
        title="Account Credit"
        titleId="credit-title"
        aside={credit.data && <b className="display num text-xl">{credit.data.formattedBalance}</b>}
        flush
      >
        {credit.data && <PendingCredit pending={credit.data.pending} />}
        {credit.data ? <CreditHistory transactions={credit.data.transactions} /> : <Skeleton className="m-6 h-24" />}
      </Card>
    </div>
  )
}
