import { EmptyPlot } from '#web/ui/chart/empty-plot.tsx'
import { FunnelList } from '#web/ui/chart/funnel-list.tsx'
import { exportInsightTrials, type Insight } from '../admin-contract.ts'
import { percentText, periodNames } from '../rules.ts'
import { definitions } from './definitions.ts'
import { InsightCard } from './insight-card.tsx'

interface Props {
  insight: Insight
  isStale: boolean
}

/** The outcomes of the customers who asked for a trial. */
export function TrialsCard({ insight: { period, trials }, isStale }: Props) {
  const { requested, approved, paid, sentence } = trials
  return (
    <InsightCard
      title="From trial to paid"
      sentence={sentence}
      definition={definitions.trials}
      exportHref={`${exportInsightTrials.path}?period=${period}`}
      isStale={isStale}
      aside={<span className="text-fg-2">Last {periodNames[period]}</span>}
    >
      {requested === 0 ? (
        <EmptyPlot title="No trials yet" text="The first trial request starts this chart." />
      ) : (
        <>
          <FunnelList
            steps={[
              { key: 'requested', label: 'Trial requested', count: requested, share: null },
              { key: 'approved', label: 'Approved', count: approved, share: percentText(approved, requested) },
              { key: 'paid', label: 'Paid', count: paid, share: percentText(paid, approved) },
            ]}
          />
          <p className="chart-note">
            <b>{percentText(paid, requested)} of trials led to a payment.</b>
          </p>
        </>
      )}
    </InsightCard>
  )
}
