import { query } from '#web/data.ts'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { listChannelMatches, matchSorts } from '../../admin-contract.ts'
import { matchStateNames, matchStates } from '../../source-rules.ts'
import { matchColumns } from './match-columns.tsx'

const rules = { sorts: matchSorts, statuses: matchStates }

/** The channels of the lineup with the listings that they show. */
export function MatchesSection() {
  return (
    <AdminList
      id="channel-guides"
      label="Channels"
      noun="channels"
      columns={matchColumns}
      rules={rules}
      load={(search) => query(listChannelMatches, { query: search })}
      searchPlaceholder="Search channels..."
      statusFilter={{ label: 'Match', all: 'All channels', nameOf: (state) => matchStateNames[state] }}
      empty="No channels yet. Import them from your panel under Catalog."
    />
  )
}
