import { useEffect, useState } from 'react'

/** True once `condition` has held for this long. */
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
