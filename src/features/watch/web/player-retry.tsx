import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'

/** Retries about every 15 seconds while `automatic`, and shows the seconds until then. Screen readers do not announce them. */
export function PlayerRetry({ automatic, onRetry }: { automatic: boolean; onRetry: () => void }) {
  // Random, so that the viewers of a channel that failed do not all retry at the same moment.
  const [seconds, setSeconds] = useState(() => 12 + Math.floor(Math.random() * 7))
  useEffect(() => {
    if (!automatic) return
    const timer = setInterval(() => setSeconds((left) => left - 1), 1_000)
    return () => clearInterval(timer)
  }, [automatic])
  useEffect(() => {
    if (seconds === 0) onRetry()
  }, [seconds, onRetry])
  return (
    <>
      {automatic && seconds > 0 && (
        <span className="player-next num" aria-hidden="true">
          Next try in {seconds} {seconds === 1 ? 'second' : 'seconds'}.
        </span>
      )}
      <Button onClick={onRetry}>
        <RotateCw size={18} />
        Try Now
      </Button>
    </>
  )
}
