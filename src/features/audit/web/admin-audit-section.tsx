import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { useAddressFilters } from '#web/ui/table/use-address-filters.ts'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { auditSorts, exportAuditLog, listAuditLog } from '../admin-contract.ts'
import { auditColumns } from './admin-audit-columns.tsx'
import { AdminAuditFilters } from './admin-audit-filters.tsx'

const rules = { sorts: auditSorts }
const filterNames = ['action', 'targetType', 'from', 'to'] as const
const datePattern = /^2\d{3}-\d{2}-\d{2}$/

/** The audit log: searchable and read-only. */
export function AdminAuditSection() {
  const address = useListAddress(rules)
  const filters = useAddressFilters(filterNames)
  const { action, targetType, from, to } = filters.values
  const cleared = { action: undefined, targetType: undefined, from: undefined, to: undefined }
  const list = {
    ...address,
    query: {
      ...address.query,
      ...(action && { action }),
      ...(targetType && { targetType }),
      // Ignore an incomplete date in the URL.
      ...(from && datePattern.test(from) && { from }),
      ...(to && datePattern.test(to) && { to }),
    },
    isFiltered: address.isFiltered || filters.isSet,
    isChanged: address.isChanged || filters.isSet,
    reset: () => filters.set({ ...cleared, ...({ search: undefined, sort: undefined, order: undefined } as object) }),
  }
  const entries = useQuery({
    ...query(listAuditLog, { query: list.query }),
    placeholderData: keepPreviousData,
    // All features write audit entries without a change event, so refetch on every mount.
    refetchOnMount: 'always',
  })

  return (
    <DataTable
      id="admin-audit"
      label="Audit Log"
      noun="entries"
      columns={auditColumns}
      list={list}
      result={entries}
      searchPlaceholder="Search user, #target or request ID..."
      filters={<AdminAuditFilters values={filters.values} onChange={filters.set} />}
      exportHref={exportAuditLog.path}
      empty="No audit entries yet."
    />
  )
}
