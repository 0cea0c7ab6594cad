import { useQuery } from '@tanstack/react-query'
import { listAllInvoices } from '#features/billing/admin-contract.ts'
import { getWorkCounts } from '#features/desk/admin-contract.ts'
import { query } from '#web/data.ts'
import { useMay } from '#web/ui/permission/use-may.ts'

/** Returns the number of open tasks of each tab; undefined for none. Change events keep the counts current. */
export function useTabCounts(): Partial<Record<string, number>> {
  const { data: work } = useQuery(query(getWorkCounts))
  const may = useMay()
  const refunds = useQuery({
    ...query(listAllInvoices, { query: { refund: 'pending', pageSize: 1 } }),
    enabled: may('invoices.read'),
  })
  if (!work) return {}
  return {
    invoices: work.payment.count + work.card_link.count + (refunds.data?.total ?? 0) || undefined,
    reports: work.report.count || undefined,
    trials: work.trial.count || undefined,
  }
}
