import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { isRunning } from '#features/subscriptions/running-rules.ts'
import { query } from '#web/data.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listTrialRequests } from '../contract.ts'
import { AlreadySubscribed } from './already-subscribed.tsx'
import { LatestTrial } from './latest-trial.tsx'
import { TrialBenefits } from './trial-benefits.tsx'
import { TrialForm } from './trial-form.tsx'

/** /request-trial: the request form, or the latest request and its outcome. Specification 2, Request Trial. */
export function RequestTrialPage() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: requests, error, isFetching, refetch } = useQuery(query(listTrialRequests))
  const [justSent, setJustSent] = useState(false)
  if (!user) return null
  const running = isRunning(user, new Date())
  const latest = requests?.[0]
  const { claims } = site

  return (
    <div className="min-h-[calc(100svh-4.5rem)] bg-sunken">
      <div className="wrap page">
        <PageHeader
          title="Request a Free Trial"
          lead={`Try ${site.brand.name} before you decide. Trials typically last ${claims.trialHours} hours.`}
        />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]">
          <div className="grid min-w-0 gap-5">
            {running && <AlreadySubscribed until={user.subscriptionEndDate} />}
            {latest ? (
              <LatestTrial request={latest} justSent={justSent} offersSupport={!running} />
            ) : error ? (
              <div className="card">
                <ErrorState
                  title="Error loading your trial requests. Please try again later."
                  pending={isFetching}
                  onRetry={() => void refetch()}
                />
              </div>
            ) : !requests ? (
              <div role="status">
                <span className="sr-only">Loading your trial requests</span>
                <Skeleton className="h-96 rounded-lg" />
              </div>
            ) : (
              !running && <TrialForm onSent={() => setJustSent(true)} />
            )}
          </div>
          <TrialBenefits claims={claims} />
        </div>
      </div>
    </div>
  )
}
