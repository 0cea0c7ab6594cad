import { useQuery } from '@tanstack/react-query'
import { getPanelStatus } from '#features/provisioning/admin-contract.ts'
import { query } from '#web/data.ts'

/** How many jobs wait for an administrator, for the navigation. Renders nothing for 0. */
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
