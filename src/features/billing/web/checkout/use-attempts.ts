import { useEffect, useRef } from 'react'

/** Numbers the write requests, blocks a second request while one is in flight, and tracks whether the component is mounted. */
export function useAttempts() {
  const attempts = useRef(0)
  const busy = useRef(false)
  const alive = useRef(true)
  useEffect(() => {
    alive.current = true
    return () => {
      alive.current = false
    }
  }, [])
  return { attempts, busy, alive }
}
