import { useEffect, useState } from 'react'

/** Returns the whole seconds since an instant, updated every second; undefined on the server, during hydration and without an instant. */
export function useSecondsSince(since: string | null | undefined): number | undefined {
  const [now, setNow] = useState<number>()
  useEffect(() => {
    if (!since) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [since])
  return since && now !== undefined ? Math.max(0, Math.floor((now - Date.parse(since)) / 1_000)) : undefined
}
