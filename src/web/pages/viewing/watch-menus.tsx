import { PlayerMenus } from '#features/watch/web/player/player-menus.tsx'
import type { useWatching } from './use-watching.ts'

/** The menus of the player for the selected channel. Load this component lazily. */
export function WatchMenus({ watching }: { watching: ReturnType<typeof useWatching> }) {
  const { current, stored, captions, container, sleepTimer, timeline, actions, setSleepTimer, setLayer } = watching
  if (!current) return null
  return (
    <PlayerMenus
      container={container}
      choices={stored.choices}
      captions={captions}
      sleepTimer={sleepTimer}
      channelId={current.id}
      timeline={timeline}
      onAudio={stored.chooseAudio}
      onLevel={stored.chooseLevel}
      onSleepTimer={setSleepTimer}
      onSwipeUp={() => setLayer('strip')}
      onGuide={actions.openGuide}
    />
  )
}
