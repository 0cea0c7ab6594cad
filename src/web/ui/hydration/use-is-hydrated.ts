import { useEffect, useState } from 'react'

/** False on the server and during hydration. Server rendering is synchronous, so parts that load on demand wait for this. */
export function useIsHydrated(): boolean {
  const [isHydrated, setIsHydrated] = useState(false)
  useEffect(() => setIsHydrated(true), [])
  return isHydrated
}
