import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import { useAddressFilters } from '#web/ui/table/use-address-filters.ts'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { exportTickets, listAllTickets, listAssignees, ticketSorts } from '../admin-contract.ts'
import { ticketStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'
import { ticketColumns } from './admin-ticket-columns.tsx'

const rules = { sorts: ticketSorts, statuses: ticketStatus.options }
const filterNames = ['assignee'] as const
const unassigned = '0'

/** The list of all tickets. */
export function AdminTicketsSection() {
  const address = useListAddress(rules)
  const filters = useAddressFilters(filterNames)
  const { data: assignees = [] } = useQuery(query(listAssignees))
  const assignee = /^\d{1,10}$/.test(filters.values.assignee ?? '') ? filters.values.assignee : undefined
  const list = {
    ...address,
    query: { ...address.query, ...(assignee && { assignee: Number(assignee) }) },
    isFiltered: address.isFiltered || assignee !== undefined,
    isChanged: address.isChanged || assignee !== undefined,
    reset: () =>
      filters.set({
        assignee: undefined,
        ...({ search: undefined, status: undefined, sort: undefined, order: undefined } as object),
      }),
  }
  const tickets = useQuery({ ...query(listAllTickets, { query: list.query }), placeholderData: keepPreviousData })
  const nameOf = (id: string) =>
    id === unassigned ? 'Not assigned' : (assignees.find((each) => String(each.id) === id)?.username ?? `User #${id}`)
  const known = [unassigned, ...assignees.map(({ id }) => String(id))]
  return (
    <DataTable
      id="admin-tickets"
      label="Tickets"
      noun="tickets"
      columns={ticketColumns}
      list={list}
      result={tickets}
      searchPlaceholder="Search messages, customer or #id..."
      filters={
        <>
          <FilterSelect
            label="Status"
            all="All statuses"
            options={ticketStatus.options}
            nameOf={(status) => statusNames[status]}
            value={address.status}
            onChange={(status) => address.set({ status })}
          />
          <FilterSelect
            label="Assigned to"
            all="All assignees"
            options={assignee && !known.includes(assignee) ? [...known, assignee] : known}
            nameOf={nameOf}
            value={assignee}
            onChange={(next) => filters.set({ assignee: next })}
          />
        </>
      }
      exportHref={exportTickets.path}
      empty="No tickets yet. Messages from the contact form and reports from customers appear here."
    />
  )
}
