import { formatCents } from '#kit/money.ts'
import { ChartLegend } from '#web/ui/chart/chart-legend.tsx'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { EmptyPlot } from '#web/ui/chart/empty-plot.tsx'
import { type Part, PartsBar } from '#web/ui/chart/parts-bar.tsx'
import { exportInsightChurn, type Insight } from '../admin-contract.ts'
import { percentText, periodNames, reasonNames } from '../rules.ts'
import { definitions } from './definitions.ts'
import { InsightCard } from './insight-card.tsx'

interface Props {
  insight: Insight
  isStale: boolean
}

/** Lost subscribers by reason and by plan. */
export function ChurnCard({ insight: { period, churn, subscribers }, isStale }: Props) {
  const { customers, mrrCents, plans, reasons } = churn
  const rows = [
    ...reasons.map((row) => ({ ...row, key: row.reason, label: reasonNames[row.reason] })),
    ...plans.map((row) => ({ ...row, key: `plan ${row.planId}`, label: row.name })),
  ]
  const [byReason, byPlan] = [rows.slice(0, reasons.length), rows.slice(reasons.length)]
  return (
    <InsightCard
      title="Lost subscribers"
      sentence={churn.sentence}
      definition={definitions.churn}
      exportHref={`${exportInsightChurn.path}?period=${period}`}
      isStale={isStale}
      className="insight-half"
      table={
        customers > 0 && (
          <ChartTable
            caption={`Lost subscribers by reason and plan, ${periodNames[period]}`}
            rows={rows}
            columns={[
              { name: 'Reason or plan', value: ({ label }) => label },
              { name: 'Lost', value: (row) => row.customers },
              { name: 'MRR', value: (row) => formatCents(row.mrrCents) },
            ]}
          />
        )
      }
    >
      <ChartLegend
        entries={[
          {
            ...{ name: `Lost, ${periodNames[period]}`, value: customers.toLocaleString('en-US') },
            note: percentText(customers, subscribers.start + subscribers.gained)?.concat(' of subscribers'),
          },
          { name: 'Churned MRR', value: formatCents(mrrCents) },
        ]}
      />
      {customers === 0 ? (
        <EmptyPlot title="No subscribers lost" text="Subscriptions that end without a renewal are counted here." />
      ) : (
        <>
          <h3 className="chart-subtitle">By reason</h3>
          <PartsBar parts={partsOf(byReason)} />
          <h3 className="chart-subtitle">By plan</h3>
          <PartsBar parts={partsOf(byPlan)} />
        </>
      )}
    </InsightCard>
  )
}

/** Returns at most five parts; the smallest ones are combined. */
function partsOf(rows: { key: string; label: string; customers: number }[]): Part[] {
  const whole = rows.reduce((sum, { customers }) => sum + customers, 0)
  const rest = rows.length > 5 ? rows.slice(4) : []
  const shown = rest.length > 0 ? rows.slice(0, 4) : rows
  const other = {
    ...{ key: 'other', label: `Other (${rest.length})` },
    customers: rest.reduce((sum, { customers }) => sum + customers, 0),
  }
  return [...shown, ...(rest.length > 0 ? [other] : [])].map(({ key, label, customers }) => ({
    ...{ key, label, value: customers, share: percentText(customers, whole) },
    text: customers.toLocaleString('en-US'),
  }))
}
