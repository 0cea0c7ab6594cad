import { shortMonth } from '#web/ui/chart/chart-days.ts'
import { EmptyPlot } from '#web/ui/chart/empty-plot.tsx'
import { exportInsightCohorts, type Insight } from '../admin-contract.ts'
import { percentText } from '../rules.ts'
import { definitions } from './definitions.ts'
import { InsightCard } from './insight-card.tsx'

interface Props {
  insight: Insight
  isStale: boolean
}

/** The share of each month's new paying customers who still have a subscription, month by month. */
export function CohortsCard({ insight: { cohorts }, isStale }: Props) {
  const { rows, sentence } = cohorts
  const months = Math.max(...rows.map(({ active }) => active.length))
  const shown = rows.filter(({ customers }) => customers > 0)
  return (
    <InsightCard
      title="Retention by month of first payment"
      sentence={sentence}
      definition={definitions.cohorts}
      exportHref={exportInsightCohorts.path}
      isStale={isStale}
      className="insight-full"
    >
      {shown.length === 0 ? (
        <EmptyPlot title="No paying customers yet" text="The first payment starts this table." />
      ) : (
        <section className="chart-table chart-table-open" aria-label="Retention" tabIndex={0}>
          <table>
            <caption className="sr-only">
              Share of customers with a subscription, by months after the first payment
            </caption>
            <thead>
              <tr>
                <th scope="col">First payment</th>
                <th scope="col">Customers</th>
                {Array.from({ length: months }, (_, month) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the index is the month
                  <th key={month} scope="col">
                    {month === 0 ? 'Same month' : `+${month}`}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map(({ month, customers, active }) => (
                <tr key={month}>
                  <th scope="row">{shortMonth(month)}</th>
                  <td>{customers.toLocaleString('en-US')}</td>
                  {Array.from({ length: months }, (_, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the index is the month
                    <td key={index} className={shadeOf(active[index], customers)}>
                      {active[index] == null ? '' : percentText(active[index], customers)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </InsightCard>
  )
}

/** The class of one of five tints. The number in the cell has the same meaning, so the tint is not needed to read it. */
const shadeOf = (count: number | null | undefined, of: number): string | undefined =>
  count == null ? undefined : `shade-${Math.min(5, Math.ceil((count / of) * 5))}`
