import { useQuery } from '@tanstack/react-query'
import { listAllInvoices } from '#features/billing/admin-contract.ts'
import { listAllReports } from '#features/reports/admin-contract.ts'
import { listAllTrialRequests } from '#features/trials/admin-contract.ts'
import { query } from '#web/data.ts'

/** The number of open tasks of each tab; undefined for none. Live updates of the lists keep the counts current. */
export function useTabCounts(): Partial<Record<string, number>> {
  const invoices = useQuery(query(listAllInvoices, { query: { status: 'pending', pageSize: 1 } }))
  const refunds = useQuery(query(listAllInvoices, { query: { refund: 'pending', pageSize: 1 } }))
  const reports = useQuery(query(listAllReports, { query: { status: 'pending', pageSize: 1 } }))
  const trials = useQuery(query(listAllTrialRequests, { query: { status: 'pending', pageSize: 1 } }))
  return {
    invoices: (invoices.data?.total ?? 0) + (refunds.data?.total ?? 0) || undefined,
    reports: reports.data?.total || undefined,
    trials: trials.data?.total || undefined,
  }
}
