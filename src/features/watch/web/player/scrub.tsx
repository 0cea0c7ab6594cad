import { useEffect, useRef, useState } from 'react'
import { shortClockTime } from '#kit/clock.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { formatPlaybackTime, valueText } from '../../timeline-rules.ts'
import type { Timeline } from './use-timeline.ts'

/** A ref that sets custom properties: the policy of the site refuses style attributes. */
const setProperties = (properties: Record<string, number>) => (element: HTMLElement | null) => {
  for (const [name, value] of Object.entries(properties)) element?.style.setProperty(`--${name}`, String(value))
}

/** A drag, or several key presses, become one seek after this time without further input, in milliseconds. */
const settledMs = 400

/** Where the program is: a slider if other parts can be shown, otherwise plain progress. */
export function Scrub({ timeline, onMove }: { timeline: Timeline; onMove: (to: number) => void }) {
  const zone = useTimeZone()
  const [moving, setMoving] = useState<number>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const { from, to, at, live, loaded, isRecording, canSeek } = timeline
  const shown = Math.min(to, Math.max(from, moving ?? at))
  const part = (time: number) => Math.min(1, Math.max(0, (time - from) / (to - from)))
  const move = (next: number) => {
    const target = Math.min(to, live, Math.max(from, next))
    setMoving(target)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setMoving(undefined)
      onMove(target)
    }, settledMs)
  }
  const steps: Record<string, number> = {
    ArrowLeft: -10_000,
    ArrowDown: -10_000,
    ArrowRight: 10_000,
    ArrowUp: 10_000,
    PageUp: -60_000,
    PageDown: 60_000,
    Home: from - shown,
    End: to - shown,
  }
  return (
    <div
      className="player-scrub"
      ref={setProperties({
        part: part(shown),
        'loaded-from': part(loaded[0]),
        'loaded-to': part(loaded[1]),
        live: part(live),
      })}
    >
      <span className="scrub-line" aria-hidden="true" />
      {canSeek ? (
        <input
          type="range"
          aria-label="Position in the program"
          aria-valuetext={valueText({ ...timeline, at: shown })}
          min={0}
          max={Math.round((to - from) / 1000)}
          value={Math.round((shown - from) / 1000)}
          onChange={({ target }) => move(from + Number(target.value) * 1000)}
          onKeyDown={(event) => {
            const by = steps[event.key]
            if (by === undefined) return
            event.preventDefault()
            move(shown + (event.shiftKey && Math.abs(by) === 10_000 ? 6 * by : by))
          }}
        />
      ) : (
        <span className="sr-only">{valueText({ ...timeline, at: shown })}</span>
      )}
      {moving !== undefined && (
        <output className="scrub-time num">{isRecording ? formatPlaybackTime(shown - from) : shortClockTime(shown, zone)}</output>
      )}
      <span className="scrub-ends num" aria-hidden="true">
        <span>{isRecording ? '0:00' : shortClockTime(from, zone)}</span>
        <span>{isRecording ? formatPlaybackTime(to - from) : shortClockTime(to, zone)}</span>
      </span>
    </div>
  )
}
