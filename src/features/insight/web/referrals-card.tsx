import { formatCents } from '#kit/money.ts'
import { fullDay, shortMonth, weekDay } from '#web/ui/chart/chart-days.ts'
import { ChartLegend } from '#web/ui/chart/chart-legend.tsx'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { EmptyPlot } from '#web/ui/chart/empty-plot.tsx'
import { PartsBar } from '#web/ui/chart/parts-bar.tsx'
import { exportInsightDays, type Insight } from '../admin-contract.ts'
import { combineBuckets, percentText, periodNames, tableBuckets } from '../rules.ts'
import { definitions } from './definitions.ts'
import { InsightCard } from './insight-card.tsx'

interface Props {
  insight: Insight
  isStale: boolean
}

/** What referrals cost. */
export function ReferralsCard({ insight: { period, referrals, revenue }, isStale }: Props) {
  const { bonusCents, discountCents, sentence } = referrals
  const cost = bonusCents + discountCents
  const name = { '30d': weekDay, '90d': (day: string) => `Week from ${fullDay(day)}`, '12m': shortMonth }[period]
  const buckets = tableBuckets(
    period,
    combineBuckets(revenue.steps, (day) => day),
  )
  return (
    <InsightCard
      title="Referral cost"
      sentence={sentence}
      definition={definitions.referrals}
      exportHref={`${exportInsightDays.path}?period=${period}`}
      isStale={isStale}
      className="insight-half"
      table={
        <ChartTable
          caption={`Referral cost, ${periodNames[period]}`}
          rows={buckets}
          columns={[
            { name: period === '12m' ? 'Month' : period === '90d' ? 'Week' : 'Day', value: ({ day }) => name(day) },
            { name: 'Cost', value: ({ referralCents }) => formatCents(referralCents) },
          ]}
        />
      }
    >
      <ChartLegend
        entries={[
          {
            ...{ name: `Referral cost, ${periodNames[period]}`, value: formatCents(cost) },
            note: revenue.netCents > 0 ? `${percentText(cost, revenue.netCents)} of net revenue` : undefined,
          },
        ]}
      />
      {cost <= 0 ? (
        <EmptyPlot title="No referral cost" text="Booked bonuses and discounts of paid invoices are counted here." />
      ) : (
        <PartsBar
          parts={[
            { key: 'bonus', label: 'Bonuses', value: bonusCents },
            { key: 'discount', label: 'Discounts', value: discountCents },
          ].map((part) => ({
            ...{ ...part, value: Math.max(0, part.value), text: formatCents(part.value) },
            share: percentText(Math.max(0, part.value), cost),
          }))}
        />
      )}
    </InsightCard>
  )
}
