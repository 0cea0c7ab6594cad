import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Insight } from '../admin-contract.ts'
import { monthOf } from '../rules.ts'

/** The number of cohorts (months of first payment) that are shown, including the current month. */
export const cohortMonths = 12
type Cohorts = Insight['cohorts']['rows']

/**
 * Returns the number of customers by month of first payment, newest first, and how many of them have paid time at the end of that month and of each
 * later month: null for a month that is not over.
 */
export async function readCohorts(db: Db | Tx, today: string): Promise<Cohorts> {
  const current = monthOf(today)
  const { rows } = await db.execute<{ cohort: string; month: string; payments: string; subscribers: string }>(sql`
    select to_char(cohort, 'YYYY-MM-DD') as cohort, to_char(month, 'YYYY-MM-DD') as month, first_payments as payments, subscribers
    from insight_months where cohort between ${monthOf(today, 1 - cohortMonths)}::date and ${current}::date order by month`)
  const byCohort = Map.groupBy(rows, ({ cohort }) => cohort)
  const cohorts: Cohorts = []
  for (let back = 0; back < cohortMonths; back++) {
    const month = monthOf(today, -back)
    const own = byCohort.get(month) ?? []
    const customers = own.reduce((sum, { payments }) => sum + Number(payments), 0)
    const active = Array.from({ length: back + 1 }, (_, months) => {
      const end = monthOf(month, months)
      if (end >= current) return null
      return own.reduce((sum, row) => sum + (row.month <= end ? Number(row.subscribers) : 0), 0)
    })
    cohorts.push({ month, customers, active })
  }
  return cohorts
}
