import { useEffect, useState, useSyncExternalStore } from 'react'
import { liveStatus } from '#web/live.ts'
import { Spinner } from '#web/ui/spinner.tsx'

const patienceMs = 3000

/** Says that lists no longer change by themselves; silent while the socket is up, and during the moment it takes to open. */
export function AdminConnection() {
  const status = useSyncExternalStore(liveStatus.subscribe, liveStatus.get, liveStatus.onServer)
  const [isLate, setLate] = useState(false)
  const isUp = status === 'connected'

  useEffect(() => {
    setLate(false)
    if (isUp) return
    const timer = setTimeout(() => setLate(true), patienceMs)
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
