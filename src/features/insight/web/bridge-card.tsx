import { formatCents, formatSignedCents } from '#kit/money.ts'
import { BridgeChart } from '#web/ui/chart/bridge-chart.tsx'
import { shortDay } from '#web/ui/chart/chart-days.ts'
import { ChartLegend } from '#web/ui/chart/chart-legend.tsx'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { EmptyPlot } from '#web/ui/chart/empty-plot.tsx'
import { exportInsightDays, type Insight } from '../admin-contract.ts'
import { addDays, periodNames, wholeDollars } from '../rules.ts'
import { definitions } from './definitions.ts'
import { InsightCard } from './insight-card.tsx'

interface Props {
  insight: Insight
  isStale: boolean
}

/** Why monthly recurring revenue changed. */
export function BridgeCard({ insight: { period, from, bridge }, isStale }: Props) {
  const changes = [
    { key: 'new', label: 'New', change: bridge.newCents },
    { key: 'winback', label: 'Won back', change: bridge.winbackCents },
    { key: 'expansion', label: 'Expansion', change: bridge.expansionCents },
    { key: 'contraction', label: 'Contraction', change: -bridge.contractionCents },
    { key: 'churn', label: 'Churn', change: -bridge.churnCents },
  ]
  const start = { key: 'start', label: shortDay(addDays(from, -1)), level: bridge.startCents }
  const end = { key: 'end', label: 'Today', level: bridge.endCents }
  const isEmpty = start.level === 0 && end.level === 0 && changes.every(({ change }) => change === 0)
  return (
    <InsightCard
      title="Recurring revenue"
      sentence={bridge.sentence}
      definition={definitions.bridge}
      exportHref={`${exportInsightDays.path}?period=${period}`}
      isStale={isStale}
      table={
        <ChartTable
          caption={`Monthly recurring revenue, ${periodNames[period]}`}
          rows={[
            { name: `At the end of ${start.label}`, amount: formatCents(start.level) },
            ...changes.map(({ label, change }) => ({ name: label, amount: formatSignedCents(change) })),
            { name: 'Today', amount: formatCents(end.level) },
          ]}
          columns={[
            { name: 'Change', value: ({ name }) => name },
            { name: 'MRR', value: ({ amount }) => amount },
          ]}
        />
      }
    >
      <ChartLegend
        entries={[
          {
            ...{ name: 'Monthly recurring revenue', value: wholeDollars(end.level) },
            note: `${end.level >= start.level ? '+' : ''}${wholeDollars(end.level - start.level)} in ${periodNames[period]}`,
          },
        ]}
      />
      {isEmpty ? (
        <EmptyPlot title="No subscribers yet" text="The first paid subscription starts this chart." />
      ) : (
        <BridgeChart steps={[start, ...changes, end]} format={(cents) => wholeDollars(cents, { isAxis: true })} />
      )}
    </InsightCard>
  )
}
