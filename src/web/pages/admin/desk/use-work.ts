import { useQuery } from '@tanstack/react-query'
import { getWorkCounts } from '#features/desk/admin-contract.ts'
import { formatAge, mostUrgent, type Urgency, urgencyOf, type WorkKind } from '#features/desk/rules.ts'
import { query } from '#web/data.ts'
import { useNow } from '#web/ui/time/use-now.ts'
import { useIsIdle } from './use-is-idle.ts'

/** Returns how much work of these kinds waits, with the age and urgency of the most urgent kind; undefined for none, and until the counts are loaded. */
export function useWork(kinds: readonly WorkKind[]): { count: string; age: string; urgency: Urgency } | undefined {
  const { data } = useQuery({ ...query(getWorkCounts), enabled: useIsIdle() })
  const now = useNow()
  const first = data && now && mostUrgent(kinds, data, now)
  if (!first) return undefined
  const total = kinds.reduce((sum, kind) => sum + data[kind].count, 0)
  const isMinimum = kinds.some((kind) => data[kind].isMinimum)
  const since = new Date(first.oldest)
  return {
    count: isMinimum ? `${total}+` : String(total),
    age: formatAge(since, now),
    urgency: urgencyOf(first.promiseMinutes, since, now),
  }
}
