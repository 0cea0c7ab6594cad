import { Link } from '@tanstack/react-router'
import { formatCents } from '#kit/money.ts'
import { CalendarStrip } from '#web/ui/chart/calendar-strip.tsx'
import { weekDay } from '#web/ui/chart/chart-days.ts'
import { ChartLegend } from '#web/ui/chart/chart-legend.tsx'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { exportInsightRenewals, type Insight } from '../admin-contract.ts'
import { definitions } from './definitions.ts'
import { InsightCard } from './insight-card.tsx'

interface Props {
  insight: Insight
  isStale: boolean
}

/** Subscriptions that end in the next 30 days, each day with a link to its customers. */
export function RenewalsCard({ insight: { to: today, renewals }, isStale }: Props) {
  const { days, sentence } = renewals
  const sum = (key: 'open' | 'renewed' | 'openCents') => days.reduce((total, day) => total + day[key], 0)
  return (
    <InsightCard
      title="Renewals due in the next 30 days"
      sentence={sentence}
      definition={definitions.renewals}
      exportHref={exportInsightRenewals.path}
      isStale={isStale}
      className="insight-wide"
      table={
        <ChartTable
          caption="Renewals due in the next 30 days"
          rows={days}
          columns={[
            { name: 'Day', value: ({ day }) => weekDay(day) },
            { name: 'Not renewed', value: ({ open }) => open },
            { name: 'Renewed', value: ({ renewed }) => renewed },
            { name: 'MRR not renewed', value: ({ openCents }) => formatCents(openCents) },
          ]}
        />
      }
    >
      <ChartLegend
        entries={[
          { name: 'Not renewed yet', swatch: 'bar', value: sum('open').toLocaleString('en-US') },
          { name: 'Renewed', swatch: 'hollow', value: sum('renewed').toLocaleString('en-US') },
          { name: 'MRR not renewed yet', value: formatCents(sum('openCents')) },
        ]}
      />
      <CalendarStrip
        today={today}
        days={days.map(({ day, open, renewed }) => ({
          ...{ day, open, done: renewed },
          label: `${weekDay(day)}: ${open} not renewed, ${renewed} renewed`,
        }))}
        link={({ day }, content) => (
          <Link to="/admin" search={{ tab: 'subscriptions', endsOn: day }}>
            {content}
          </Link>
        )}
      />
    </InsightCard>
  )
}
