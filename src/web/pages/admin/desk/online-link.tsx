import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { countActiveVisitors } from '#features/visitors/admin-contract.ts'
import { query } from '#web/data.ts'
import { useIsIdle } from './use-is-idle.ts'

const pollMs = 30_000

/** The number of visitors online, linked to the Active Visitors tab. */
export function OnlineLink() {
  const { data } = useQuery({ ...query(countActiveVisitors), enabled: useIsIdle(), refetchInterval: pollMs })
  const isCurrent = useLocation({
    select: ({ pathname, search }) => pathname === '/admin' && (search as { tab?: unknown }).tab === 'visitors',
  })
  return (
    <Link
      to="/admin"
      search={{ tab: 'visitors' } as never}
      activeOptions={{ exact: true }}
      activeProps={{}}
      aria-current={isCurrent ? 'page' : undefined}
      className="desk-online num"
    >
      <span className="dot dot-ok" />
      {data?.count ?? '–'} <span className="desk-online-word">online</span>
    </Link>
  )
}
