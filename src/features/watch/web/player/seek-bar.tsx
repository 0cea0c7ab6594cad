import { useEffect, useRef, useState } from 'react'
import { clockTime, shortClockTime } from '#kit/clock.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { formatPlaybackTime, valueText } from '../../timeline-rules.ts'
import type { Timeline } from './use-timeline.ts'

/** Returns a ref callback that sets CSS custom properties. The Content Security Policy of the site does not permit style attributes. */
const setProperties = (properties: Record<string, number>) => (element: HTMLElement | null) => {
  for (const [name, value] of Object.entries(properties)) element?.style.setProperty(`--${name}`, String(value))
}

/** A drag or several key presses result in one seek after this time without further input, in milliseconds. */
const debounceMs = 400

/** The position in the program: a slider if the viewer can seek, otherwise only a progress bar. */
export function SeekBar({ timeline, onSeek }: { timeline: Timeline; onSeek: (to: number) => void }) {
  const zone = useTimeZone()
  const [pending, setPending] = useState<number>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const { from, to, at, live, buffered, isRecording, canSeek } = timeline
  const shown = Math.min(to, Math.max(from, pending ?? at))
  const fractionOf = (time: number) => Math.min(1, Math.max(0, (time - from) / (to - from)))
  const seek = (next: number) => {
    const target = Math.min(to, live, Math.max(from, next))
    setPending(target)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setPending(undefined)
      onSeek(target)
    }, debounceMs)
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
      className="player-seek"
      ref={setProperties({
        position: fractionOf(shown),
        'buffered-from': fractionOf(buffered[0]),
        'buffered-to': fractionOf(buffered[1]),
        live: fractionOf(live),
      })}
    >
      <span className="seek-line" aria-hidden="true" />
      {canSeek ? (
        <input
          type="range"
          aria-label="Position in the program"
          aria-valuetext={valueText({ ...timeline, at: shown })}
          min={0}
          max={Math.round((to - from) / 1000)}
          value={Math.round((shown - from) / 1000)}
          onChange={({ target }) => seek(from + Number(target.value) * 1000)}
          onKeyDown={(event) => {
            const by = steps[event.key]
            if (by === undefined) return
            event.preventDefault()
            seek(shown + (event.shiftKey && Math.abs(by) === 10_000 ? 6 * by : by))
          }}
        />
      ) : (
        <span className="sr-only">{valueText({ ...timeline, at: shown })}</span>
      )}
      {pending !== undefined && (
        <output className="seek-time num">
          {isRecording ? formatPlaybackTime(shown - from) : shortClockTime(shown, zone)}
        </output>
      )}
      <span className="seek-ends num" aria-hidden="true">
        <span>{isRecording ? '0:00' : clockTime(from, zone)}</span>
        <span>{isRecording ? formatPlaybackTime(to - from) : clockTime(to, zone)}</span>
      </span>
    </div>
  )
}
