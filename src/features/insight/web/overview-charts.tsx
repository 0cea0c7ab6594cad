import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { PlotSkeleton } from '#web/ui/chart/plot-skeleton.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { readInsight } from '../admin-contract.ts'
import type { Period } from '../rules.ts'
import { BridgeCard } from './bridge-card.tsx'
import { PeriodButtons } from './period-buttons.tsx'
import { RenewalsCard } from './renewals-card.tsx'
import { RevenueCard } from './revenue-card.tsx'
import { TrialsCard } from './trials-card.tsx'

const headingId = 'overview-charts'

interface Props {
  /** Whether there are no orders yet. Then only the charts of revenue and trials are shown. */
  isNew?: boolean
}

/** The charts of the overview: revenue, recurring revenue, renewals and trials. Import it lazily: it loads the chart library. */
export function OverviewCharts({ isNew }: Props) {
  const [period, setPeriod] = useState<Period>('30d')
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...query(readInsight, { query: { period } }),
    placeholderData: keepPreviousData,
  })
  const shown = { insight: data!, isStale: isPlaceholderData }
  return (
    <section aria-labelledby={headingId} className="overview-charts">
      <div className="overview-charts-head">
        <h2 id={headingId}>Business figures</h2>
        {!isNew && <PeriodButtons period={period} onChange={setPeriod} />}
      </div>
      {error ? (
        <Card>
          <ErrorState
            title="Error loading data"
            message={error.message}
            onRetry={() => void refetch()}
            pending={isFetching}
          />
        </Card>
      ) : (
        <div className="insight-grid">
          {data ? (
            <>
              <RevenueCard {...shown} />
              {!isNew && <BridgeCard {...shown} />}
              {!isNew && <RenewalsCard {...shown} />}
              <TrialsCard {...shown} />
            </>
          ) : (
            <>
              <Card title="Revenue and subscribers" className="insight-wide">
                <PlotSkeleton />
              </Card>
              <Card title="Recurring revenue">
                <PlotSkeleton />
              </Card>
            </>
          )}
        </div>
      )}
    </section>
  )
}
