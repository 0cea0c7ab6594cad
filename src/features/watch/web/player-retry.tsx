import { RotateCw } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'

interface Props {
  automatic: boolean
  /** Whether an automatic retry is in progress. */
  isTrying: boolean
  onAutomaticRetry: () => void
  onRetry: () => void
}

/** A button to retry. While `automatic`, retries about every 15 seconds and shows the seconds until the next retry, which screen readers do not announce. */
export function PlayerRetry({ automatic, isTrying, onAutomaticRetry, onRetry }: Props) {
  const [seconds, setSeconds] = useState(0)
  const retry = useEffectEvent(onAutomaticRetry)
  useEffect(() => {
    if (!automatic || isTrying) return
    // The delay is random, so that the viewers of a failed channel do not all retry at the same time.
    let left = 12 + Math.floor(Math.random() * 7)
    setSeconds(left)
    const timer = setInterval(() => {
      setSeconds(--left)
      if (left > 0) return
      clearInterval(timer)
      retry()
    }, 1_000)
    return () => clearInterval(timer)
  }, [automatic, isTrying])
  return (
    <>
      {automatic && (
        <span className="player-next num" aria-hidden="true">
          {isTrying && 'Trying again…'}
          {!isTrying && seconds > 0 && `Next try in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`}
        </span>
      )}
      <Button onClick={onRetry}>
        <RotateCw size={18} />
        Try Now
      </Button>
    </>
  )
}
