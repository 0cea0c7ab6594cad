import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import type { OpenedPlay } from '#features/watch/contract.ts'
import { formatPlaybackTime } from '#features/watch/timeline-rules.ts'
import { useReportProgress } from '#features/watch-progress/web/use-report-progress.ts'
import { Button } from '../../ui/button/button.tsx'

interface Props {
  video: RefObject<HTMLVideoElement | null>
  channelId: number
  recording: NonNullable<OpenedPlay['recording']>
  /** Whether the video shows the recording. */
  isShown: boolean
  onFromStart: () => void
  onEnd: () => void
}
const noticeMs = 10_000
/** OK presses the button of the notice instead of pausing. */
const keepOk: ComponentProps<'div'>['onKeyDown'] = (event) => {
  if (event.key === 'Enter' || event.key === ' ') event.stopPropagation()
}

/**
 * Stores how far a recording was watched on a TV. For ten seconds it says where the recording continued, with a button that starts over: Left moves
 * the focus to it.
 */
export function TvRecording({ video, channelId, recording, isShown, onFromStart, onEnd }: Props) {
  useReportProgress({ video, channelId, recording, isShown })
  const [isTold, setTold] = useState(recording.isResumed)
  const notice = useRef<HTMLDivElement>(null)
  const latest = useRef(onEnd)
  latest.current = onEnd
  useEffect(() => {
    const element = video.current
    const onEnded = () => latest.current()
    element?.addEventListener('ended', onEnded)
    return () => element?.removeEventListener('ended', onEnded)
  }, [video])
  useEffect(() => {
    if (!isTold) return
    const timer = setTimeout(() => setTold(false), noticeMs)
    const onKey = ({ key }: globalThis.KeyboardEvent) => {
      if (key === 'ArrowLeft') notice.current?.querySelector('button')?.focus()
    }
    addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', onKey)
    }
  }, [isTold])
  if (!isTold) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps a key of its button from the player
    <div className="tv-banner tv-resumed" ref={notice} onKeyDown={keepOk}>
      <span role="status">
        Continued at {formatPlaybackTime(Date.parse(recording.at) - Date.parse(recording.from))}
      </span>
      <Button
        size="lg"
        variant="line"
        onClick={() => {
          setTold(false)
          onFromStart()
        }}
      >
        <span aria-hidden="true">← </span>
        Watch from Start
      </Button>
    </div>
  )
}
