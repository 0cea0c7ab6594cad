import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import type { OpenedPlay } from '#features/watch/contract.ts'
import { formatPlaybackTime } from '#features/watch/timeline-rules.ts'
import { useReportProgress } from '#features/watch-progress/web/use-report-progress.ts'
import { Button } from '../../ui/button/button.tsx'
import { useKeyDown } from '../../ui/use-key-down.ts'

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
/** Keeps the OK key from the player: it presses the button of the notice instead of pausing. */
const keepOk: ComponentProps<'div'>['onKeyDown'] = (event) => {
  if (event.key === 'Enter' || event.key === ' ') event.stopPropagation()
}

/**
 * Stores how far a recording was watched on a TV. After a recording was resumed, a notice says for ten seconds where, with a button that starts over. The Left
 * key moves the focus to that button.
 */
export function TvRecording({ video, channelId, recording, isShown, onFromStart, onEnd }: Props) {
  useReportProgress({ video, channelId, recording, isShown })
  const [isNoticeShown, setNoticeShown] = useState(recording.isResumed)
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
    if (!isNoticeShown) return
    const timer = setTimeout(() => setNoticeShown(false), noticeMs)
    return () => clearTimeout(timer)
  }, [isNoticeShown])
  useKeyDown(({ key }) => {
    if (key === 'ArrowLeft') notice.current?.querySelector('button')?.focus()
  }, isNoticeShown)
  if (!isNoticeShown) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the OK key from the player
    <div className="tv-banner tv-resumed" ref={notice} onKeyDown={keepOk}>
      <span role="status">Resumed at {formatPlaybackTime(Date.parse(recording.at) - Date.parse(recording.from))}</span>
      <Button
        size="lg"
        variant="line"
        onClick={() => {
          setNoticeShown(false)
          onFromStart()
        }}
      >
        <span aria-hidden="true">← </span>
        Watch from Start
      </Button>
    </div>
  )
}
