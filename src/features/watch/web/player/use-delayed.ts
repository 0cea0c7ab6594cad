import { useEffect, useState } from 'react'

/** Whether `condition` has been true for this many milliseconds. */
export function useDelayed(condition: boolean, ms: number): boolean {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setDue(true), ms)
    return () => {
      clearTimeout(timer)
      setDue(false)
    }
  }, [condition, ms])
  return condition && isDue
}
