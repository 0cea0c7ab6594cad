import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getWorkCounts } from '#features/desk/admin-contract.ts'
import { query } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { useIsIdle } from './use-is-idle.ts'

const everyMs = 60_000

/** Announces to screen readers that more work waits, at most once a minute. */
export function useWorkAnnouncement(): void {
  const { data } = useQuery({ ...query(getWorkCounts), enabled: useIsIdle() })
  const total = data && Object.values(data).reduce((sum, { count }) => sum + count, 0)
  const last = useRef<{ total: number; at: number }>(undefined)
  useEffect(() => {
    if (total === undefined) return
    const before = last.current
    // The first counts and lower counts are not announced.
    if (!before || total <= before.total) {
      last.current = { total, at: before?.at ?? 0 }
      return
    }
    const announceTotal = () => {
      last.current = { total, at: Date.now() }
      announce(`${total} ${total === 1 ? 'item is' : 'items are'} waiting`)
    }
    const timer = setTimeout(announceTotal, Math.max(0, before.at + everyMs - Date.now()))
    return () => clearTimeout(timer)
  }, [total])
}
