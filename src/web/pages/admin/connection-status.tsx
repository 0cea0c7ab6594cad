import { useEffect, useState, useSyncExternalStore } from 'react'
import { liveStatus } from '#web/live.ts'
import { Spinner } from '#web/ui/spinner.tsx'

const graceMs = 3000

/** Shows that live updates are interrupted. Empty while the socket is connected, and for the first three seconds without it. */
export function ConnectionStatus() {
  const status = useSyncExternalStore(liveStatus.subscribe, liveStatus.get, liveStatus.onServer)
  const [isLate, setLate] = useState(false)
  const isUp = status === 'connected'

  useEffect(() => {
    setLate(false)
    if (isUp) return
    const timer = setTimeout(() => setLate(true), graceMs)
    return () => clearTimeout(timer)
  }, [isUp])

  return (
    <p role="status" className="flex items-center gap-2 text-sm text-fg-2">
      {isLate && !isUp && (
        <>
          <Spinner /> Reconnecting…
        </>
      )}
    </p>
  )
}
