import { SleepClock } from '#features/watch/web/sleep/sleep-clock.tsx'
import { TodayStrip } from './today-strip.tsx'
import type { useWatching } from './use-watching.ts'
import { WatchContinue } from './watch-continue.tsx'

/** The parts of /watch that may load after the player: the programs of today, the recordings to continue, and the sleep timer. */
export function WatchExtras({ watching }: { watching: ReturnType<typeof useWatching> }) {
  const { current, guide, recording, details, setDetails, timeline, sleepTimer, setSleepTimer, endSleepTimer } =
    watching
  return (
    <>
      {current && guide && (
        <TodayStrip channel={current} playing={recording?.from} at={guide.at} opened={details} onOpen={setDetails} />
      )}
      <WatchContinue watching={watching} />
      {sleepTimer.chosen !== 0 && (
        <SleepClock
          timer={sleepTimer}
          channelId={current?.id}
          timeline={timeline}
          onEnd={endSleepTimer}
          onLeave={() => setSleepTimer({ chosen: 0 })}
        />
      )}
    </>
  )
}
