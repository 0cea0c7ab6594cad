import { useQuery } from '@tanstack/react-query'
import { getPanelStatus } from '#features/provisioning/admin-contract.ts'
import { query } from '#web/data.ts'

/** How many lines wait for an administrator, beside the way to them; nothing where none does. */
export function LineTasks() {
  const { data } = useQuery(query(getPanelStatus))
  if (!data?.tasks) return null
  return (
    <>
      {' '}
      <span className="num">({data.tasks})</span>
      <span className="sr-only"> waiting for you</span>
    </>
  )
}
