import { useEffect, useRef } from 'react'
import { formatPlaybackTime } from '#features/watch/timeline-rules.ts'
import { progressRef } from '#features/watch-progress/rules.ts'
import { ContinueStrip } from '#features/watch-progress/web/continue-strip.tsx'
import { useReportProgress } from '#features/watch-progress/web/use-report-progress.ts'
import { toast } from '../../ui/toast/toast.ts'
import type { useWatching } from './use-watching.ts'

interface Props {
  watching: Pick<ReturnType<typeof useWatching>, 'video' | 'state' | 'current' | 'recording' | 'watchFromStart'>
}

/** Lists the recordings to continue. Also stores the position in the playing recording, and shows a toast when playback is resumed from a stored position. */
export function WatchContinue({ watching: { video, state, current, recording, watchFromStart } }: Props) {
  const isShown = state.phase === 'playing' && state.generation !== undefined
  useReportProgress({ video, channelId: current?.id, recording, isShown })
  const latest = useRef(watchFromStart)
  latest.current = watchFromStart
  const resumed = isShown && recording?.isResumed ? recording : undefined
  useEffect(() => {
    if (!resumed) return
    toast({
      title: `Resumed at ${formatPlaybackTime(Date.parse(resumed.at) - Date.parse(resumed.from))}`,
      action: { label: 'Watch from Start', onPress: () => latest.current?.() },
    })
  }, [resumed])
  return (
    <ContinueStrip
      playing={current && recording ? progressRef({ channelId: current.id, startsAt: recording.from }) : undefined}
    />
  )
}
