import { useEffect, useState } from 'react'
import type { Instant } from '#kit/dates.ts'

const tickMs = 15_000

/** Returns the current time of the server: `now` of a response, plus the time since that response arrived at `receivedAt` (epoch milliseconds). */
export function useServerTime(now: Instant, receivedAt: number): Date {
  const [tick, setTick] = useState(receivedAt)
  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return new Date(Date.parse(now) + Math.max(0, tick - receivedAt))
}
