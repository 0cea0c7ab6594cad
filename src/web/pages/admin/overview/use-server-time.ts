import { useEffect, useState } from 'react'
import type { Instant } from '#kit/dates.ts'

const tickMs = 15_000

/** The server's time, advanced by the browser's clock since the response with `now` arrived at `receivedAt` (milliseconds). */
export function useServerTime(now: Instant, receivedAt: number): Date {
  const [tick, setTick] = useState(receivedAt)
  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return new Date(Date.parse(now) + Math.max(0, tick - receivedAt))
}
