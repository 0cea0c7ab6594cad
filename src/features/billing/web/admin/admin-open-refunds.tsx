import { useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'
import type { ListAddress } from '#web/ui/table/use-list-address.ts'
import { listAllInvoices } from '../../admin-contract.ts'

/** The number of open refund requests with a button that lists them; renders nothing without any. */
export function AdminOpenRefunds({ list }: { list: Pick<ListAddress, 'filters' | 'set'> }) {
  const { data } = useQuery(query(listAllInvoices, { query: { refund: 'pending', pageSize: 1 } }))
  if (!data?.total) return null
  const isShown = list.filters.refund === 'pending'
  return (
    <Note
      tone="warn"
      className="mb-4"
      action={
        !isShown && (
          <Button
            variant="ink"
            size="sm"
            onClick={() => list.set({ search: '', status: undefined, filters: { refund: 'pending' } })}
          >
            Show Requests
          </Button>
        )
      }
    >
      <b>{data.total === 1 ? '1 refund request is' : `${data.total} refund requests are`} waiting for a decision.</b>
    </Note>
  )
}
