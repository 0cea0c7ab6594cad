import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { PlotSkeleton } from '#web/ui/chart/plot-skeleton.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { readInsight } from '../admin-contract.ts'
import { type Period, periods } from '../rules.ts'
import { BridgeCard } from './bridge-card.tsx'
import { ChurnCard } from './churn-card.tsx'
import { CohortsCard } from './cohorts-card.tsx'
import { PeriodButtons } from './period-buttons.tsx'
import { ReferralsCard } from './referrals-card.tsx'
import { RenewalsCard } from './renewals-card.tsx'
import { RevenueCard } from './revenue-card.tsx'
import { TrialsCard } from './trials-card.tsx'

/** The business figures of a period. The period is a parameter of the URL. */
export function InsightSection() {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const period = periods.find((one) => one === address.period) ?? '30d'
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...query(readInsight, { query: { period } }),
    placeholderData: keepPreviousData,
  })
  const open = (chosen: Period) =>
    void navigate({
      to: '.',
      search: { period: chosen === '30d' ? undefined : chosen } as never,
      resetScroll: false,
      replace: true,
    })
  const shown = { insight: data!, isStale: isPlaceholderData }
  return (
    <>
      <div className="insight-head">
        <PeriodButtons period={period} onChange={open} />
        <p>Days are in UTC. Today is included up to now.</p>
        {isFetching && (
          <span role="status" className="insight-progress">
            <span className="sr-only">Loading</span>
          </span>
        )}
      </div>
      {data?.isBehind && (
        <Note tone="info" className="mb-4">
          Many changes are being counted. The figures are complete in a few minutes.
        </Note>
      )}
      {error ? (
        <Card>
          <ErrorState
            title="Error loading data"
            message={error.message}
            onRetry={() => void refetch()}
            pending={isFetching}
          />
        </Card>
      ) : data ? (
        <div className="insight-grid">
          <RevenueCard {...shown} />
          <BridgeCard {...shown} />
          <RenewalsCard {...shown} />
          <TrialsCard {...shown} />
          <ChurnCard {...shown} />
          <ReferralsCard {...shown} />
          <CohortsCard {...shown} />
        </div>
      ) : (
        <div className="insight-grid">
          <Card title="Revenue and subscribers" className="insight-wide">
            <PlotSkeleton />
          </Card>
          <Card title="Recurring revenue">
            <PlotSkeleton />
          </Card>
        </div>
      )}
    </>
  )
}
