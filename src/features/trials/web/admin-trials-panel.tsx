import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { TabPanel } from '#web/ui/tabs/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import { exportTrialRequests, listAllTrialRequests, trialSorts } from '../admin-contract.ts'
import { trialStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'
import { trialColumns } from './admin-trial-columns.tsx'

const all = 'all'
const shows = [...trialStatus.options, all] as const
const rules = { sorts: trialSorts, statuses: shows }
const tableId = 'admin-trials'

/** The Trial Requests tab of the Admin Panel, which opens with the pending requests. */
export function AdminTrialsPanel() {
  const address = useListAddress(rules)
  const { status: show = 'pending', sort, search } = address
  // The status is a tab here, not a filter: it does not count as filtered, and clearing the search keeps it.
  const wanted = show === all ? undefined : show
  const { status: _, ...asked } = address.query
  const list = {
    ...address,
    query: { ...asked, ...(wanted && { status: wanted }) },
    isFiltered: search !== '',
    isChanged: search !== '' || sort !== undefined,
    reset: () => address.set({ search: '', sort: undefined, order: undefined }),
  }
  const requests = useQuery({
    ...query(listAllTrialRequests, { query: list.query }),
    placeholderData: keepPreviousData,
  })
  const waiting = useQuery(query(listAllTrialRequests, { query: { status: 'pending', pageSize: 1 } }))
  const tabs = shows.map((value) => ({
    value,
    label: value === all ? 'All' : statusNames[value],
    ...(value === 'pending' && waiting.data && { count: waiting.data.total }),
  }))

  return (
    <>
      <Tabs
        id={tableId}
        label="Trial requests by status"
        look="pills"
        tabs={tabs}
        value={show}
        onChange={(next) => address.set({ status: next === 'pending' ? undefined : next })}
      />
      <TabPanel id={tableId} value={show} className="mt-4">
        <DataTable
          id={`${tableId}-list`}
          label="Trial Requests"
          noun="trial requests"
          columns={trialColumns}
          list={list}
          result={requests}
          searchPlaceholder="Search by username, email or #id..."
          empty={wanted ? `No ${wanted} trial requests found.` : 'No trial requests found.'}
          exportHref={exportTrialRequests.path}
          errorTitle="Error loading trial requests. Please try again later."
        />
      </TabPanel>
    </>
  )
}
