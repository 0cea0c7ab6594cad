// Admin endpoints of the business figures.
import * as z from 'zod/mini'
import { csvFile } from '#kit/download.ts'
import { get, getFile, type Output } from '#kit/endpoint.ts'
import { cents } from '#kit/text.ts'
import { churnReasons, periods } from './rules.ts'

const count = z.int()
const day = z.string()
const bucket = z.object({
  day,
  receivedCents: cents,
  refundedCents: cents,
  payments: count,
  referralCents: cents,
  subscribers: count,
  mrrCents: cents,
})
const loss = { customers: count, mrrCents: cents }

/** Describes a figure in words, for users who do not see its chart. All amounts are in cents, all days are YYYY-MM-DD in UTC. */
const sentence = z.string()
const insight = z.object({
  period: z.enum(periods),
  from: day,
  to: day,
  /** Whether changes are left that this request did not count, because it counts a limited number. The figures lag behind until the job has counted them. */
  isBehind: z.boolean(),
  revenue: z.object({
    sentence,
    receivedCents: cents,
    refundedCents: cents,
    netCents: cents,
    /** The net revenue of the previous period of the same length; null if nothing was received or refunded then. */
    previousNetCents: z.nullable(cents),
    /** One bucket for each day, or for each month if the period is twelve months. */
    steps: z.array(bucket),
  }),
  subscribers: z.object({ start: count, end: count, gained: count, lost: count }),
  bridge: z.object({
    sentence,
    startCents: cents,
    newCents: cents,
    expansionCents: cents,
    winbackCents: cents,
    contractionCents: cents,
    churnCents: cents,
    endCents: cents,
  }),
  churn: z.object({
    sentence,
    ...loss,
    plans: z.array(z.object({ planId: count, name: z.string(), ...loss })),
    reasons: z.array(z.object({ reason: z.enum(churnReasons), ...loss })),
  }),
  trials: z.object({ sentence, requested: count, approved: count, paid: count }),
  renewals: z.object({
    sentence,
    days: z.array(z.object({ day, open: count, openCents: cents, renewed: count })),
  }),
  referrals: z.object({ sentence, bonusCents: cents, discountCents: cents }),
  /** `active[n]` is how many customers of a month of first payment have paid time at the end of the n-th month after it; null while that month is not over. */
  cohorts: z.object({
    sentence,
    rows: z.array(z.object({ month: day, customers: count, active: z.array(z.nullable(count)) })),
  }),
})

export const insightQuery = z.object({ period: z.optional(z.enum(periods)) })
export const readInsight = get('/api/admin/insight', {
  summary: 'The business figures of a period that ends today',
  access: 'admin',
  needs: 'insight.read',
  dependsOn: ['invoice', 'subscription', 'refund', 'credit', 'trial_request'],
  query: insightQuery,
  output: insight,
})
export type Insight = Output<typeof readInsight>

const csv = <Path extends `/admin/${string}.csv`>(path: Path, summary: string) =>
  getFile(path, {
    summary,
    access: 'admin',
    needs: 'insight.read',
    limit: 'export',
    file: 'text/csv',
    query: insightQuery,
    output: csvFile,
  })

export const exportInsightDays = csv('/admin/insight-days.csv', 'Revenue, subscribers and referral cost by day as CSV')
export const exportInsightChurn = csv('/admin/insight-churn.csv', 'Lost customers by plan and reason as CSV')
export const exportInsightTrials = csv('/admin/insight-trials.csv', 'Trials and their outcomes by day as CSV')
export const exportInsightRenewals = csv('/admin/insight-renewals.csv', 'Renewals due in the next 30 days as CSV')
export const exportInsightCohorts = csv('/admin/insight-cohorts.csv', 'Customers by month of first payment as CSV')
