import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Page } from '#kit/endpoint.ts'

const firstDelayMs = 700
const maxAttempts = 6

/** Refetches a page while its total is only a minimum, with growing delays, until the exact total is available. */
export function useRefetchWhenStale({
  data,
  isFetching,
  refetch,
}: Pick<UseQueryResult<Page<unknown>>, 'data' | 'isFetching' | 'refetch'>): void {
  const attempts = useRef(0)
  const isMinimum = data?.isMinimum === true
  useEffect(() => {
    if (!isMinimum) attempts.current = 0
    if (!isMinimum || isFetching || attempts.current >= maxAttempts) return
    const timer = setTimeout(() => void refetch(), firstDelayMs * 2 ** attempts.current++)
    return () => clearTimeout(timer)
  }, [isMinimum, isFetching, refetch])
}
