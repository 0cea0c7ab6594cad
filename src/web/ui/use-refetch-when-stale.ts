import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Page } from '#kit/endpoint.ts'

const firstMs = 700
const most = 6

/** Asks for a page again while its rows are still being counted, each time a little later, until the exact number is there. */
export function useRefetchWhenStale({
  data,
  isFetching,
  refetch,
}: Pick<UseQueryResult<Page<unknown>>, 'data' | 'isFetching' | 'refetch'>): void {
  const asked = useRef(0)
  const isMinimum = data?.isMinimum === true
  useEffect(() => {
    if (!isMinimum) asked.current = 0
    if (!isMinimum || isFetching || asked.current >= most) return
    const timer = setTimeout(() => void refetch(), firstMs * 2 ** asked.current++)
    return () => clearTimeout(timer)
  }, [isMinimum, isFetching, refetch])
}
