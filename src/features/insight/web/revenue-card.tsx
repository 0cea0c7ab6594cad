import { formatCents } from '#kit/money.ts'
import { fullDay, shortDay, shortMonth, weekDay } from '#web/ui/chart/chart-days.ts'
import { ChartLegend } from '#web/ui/chart/chart-legend.tsx'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { EmptyPlot } from '#web/ui/chart/empty-plot.tsx'
import { TrendChart } from '#web/ui/chart/trend-chart.tsx'
import { exportInsightDays, type Insight } from '../admin-contract.ts'
import { percentText, periodNames, type Step, tableSteps, wholeDollars } from '../rules.ts'
import { definitions } from './definitions.ts'
import { InsightCard } from './insight-card.tsx'

interface Props {
  insight: Insight
  isStale: boolean
}

/** Revenue by day or month, and the number of subscribers below it. */
export function RevenueCard({ insight, isStale }: Props) {
  const { period, revenue, subscribers } = insight
  const { netCents, previousNetCents, refundedCents, steps } = revenue
  const name = { '30d': weekDay, '90d': (day: string) => `Week from ${fullDay(day)}`, '12m': shortMonth }[period]
  const isEmpty = steps.every((step) => step.receivedCents === 0 && step.refundedCents === 0 && step.subscribers === 0)
  return (
    <InsightCard
      title="Revenue and subscribers"
      sentence={revenue.sentence}
      definition={`${definitions.revenue} ${definitions.subscribers}`}
      exportHref={`${exportInsightDays.path}?period=${period}`}
      isStale={isStale}
      className="insight-wide"
      table={
        <ChartTable<Step>
          caption={`Revenue and subscribers, ${periodNames[period]}`}
          rows={tableSteps(period, steps)}
          columns={[
            { name: period === '30d' ? 'Day' : period === '90d' ? 'Week' : 'Month', value: ({ day }) => name(day) },
            { name: 'Received', value: (step) => formatCents(step.receivedCents) },
            { name: 'Refunded', value: (step) => formatCents(step.refundedCents) },
            { name: 'Net', value: (step) => formatCents(step.receivedCents - step.refundedCents) },
            { name: 'Payments', value: (step) => step.payments },
            { name: 'Subscribers', value: (step) => step.subscribers.toLocaleString('en-US') },
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
          points={steps.map(({ day, receivedCents, refundedCents, subscribers: level }) => ({
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

/** Every Monday of 30 days, the 1st and 15th of 90 days, every month of a year. */
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
