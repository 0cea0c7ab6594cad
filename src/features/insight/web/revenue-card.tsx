import { formatCents } from '#kit/money.ts'
import { fullDay, shortDay, shortMonth, weekDay } from '#web/ui/chart/chart-days.ts'
import { ChartLegend } from '#web/ui/chart/chart-legend.tsx'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { EmptyPlot } from '#web/ui/chart/empty-plot.tsx'
import { TrendChart } from '#web/ui/chart/trend-chart.tsx'
import { exportInsightDays, type Insight } from '../admin-contract.ts'
import { type Bucket, percentText, periodNames, tableBuckets, wholeDollars } from '../rules.ts'
import { definitions } from './definitions.ts'
import { InsightCard } from './insight-card.tsx'

interface Props {
  insight: Insight
  isStale: boolean
}

/** Revenue by day or month, and the number of subscribers below it. */
export function RevenueCard({ insight, isStale }: Props) {
  const { period, revenue, subscribers } = insight
  const { netCents, previousNetCents, refundedCents, steps: buckets } = revenue
  const name = { '30d': weekDay, '90d': (day: string) => `Week from ${fullDay(day)}`, '12m': shortMonth }[period]
  const isEmpty = buckets.every(
    (bucket) => bucket.receivedCents === 0 && bucket.refundedCents === 0 && bucket.subscribers === 0,
  )
  return (
    <InsightCard
      title="Revenue and subscribers"
      sentence={revenue.sentence}
      definition={`${definitions.revenue} ${definitions.subscribers}`}
      exportHref={`${exportInsightDays.path}?period=${period}`}
      isStale={isStale}
      className="insight-wide"
      table={
        <ChartTable<Bucket>
          caption={`Revenue and subscribers, ${periodNames[period]}`}
          rows={tableBuckets(period, buckets)}
          columns={[
            { name: period === '30d' ? 'Day' : period === '90d' ? 'Week' : 'Month', value: ({ day }) => name(day) },
            { name: 'Received', value: (bucket) => formatCents(bucket.receivedCents) },
            { name: 'Refunded', value: (bucket) => formatCents(bucket.refundedCents) },
            { name: 'Net', value: (bucket) => formatCents(bucket.receivedCents - bucket.refundedCents) },
            { name: 'Payments', value: (bucket) => bucket.payments },
            { name: 'Subscribers', value: (bucket) => bucket.subscribers.toLocaleString('en-US') },
          ]}
        />
      }
    >
      {!isEmpty && (
        <ChartLegend
          entries={[
            {
              ...{ name: `Net revenue, ${periodNames[period]}`, swatch: 'bar', value: wholeDollars(netCents) },
              note: comparison(netCents, previousNetCents),
            },
            { name: 'Refunded', swatch: 'loss', value: wholeDollars(refundedCents) },
            {
              ...{ name: 'Active subscribers', swatch: 'line', value: subscribers.end.toLocaleString('en-US') },
              note: `${subscribers.gained} gained, ${subscribers.lost} lost`,
            },
          ]}
        />
      )}
      {isEmpty ? (
        <EmptyPlot title="No payments yet" text="The first confirmed payment starts this chart." />
      ) : (
        <TrendChart
          points={buckets.map(({ day, receivedCents, refundedCents, subscribers: level }) => ({
            ...{ key: day, title: period === '12m' ? shortMonth(day) : weekDay(day), tick: tickOf(period, day) },
            ...{ value: receivedCents, loss: refundedCents, level },
          }))}
          names={{ value: 'Net revenue', loss: 'Refunded', level: 'Subscribers' }}
          formatAxis={(cents) => wholeDollars(cents, { isAxis: true })}
          formatValue={formatCents}
        />
      )}
    </InsightCard>
  )
}

/** The label of a bucket on the axis: every Monday of 30 days, the 1st and 15th of 90 days, every month of a year. Undefined for the others. */
function tickOf(period: Insight['period'], day: string): string | undefined {
  if (period === '12m') return shortMonth(day).slice(0, 3)
  const isShown =
    period === '30d' ? new Date(`${day}T00:00:00Z`).getUTCDay() === 1 : ['01', '15'].includes(day.slice(8))
  return isShown ? shortDay(day) : undefined
}

function comparison(now: number, before: number | null): string | undefined {
  if (before === null || before <= 0) return undefined
  const change = now - before
  if (change === 0) return 'same as the period before'
  return `${change > 0 ? '▲' : '▼'} ${percentText(Math.abs(change), before)} vs. the period before`
}
