import { AudioLines, CalendarDays, Captions as CaptionsIcon, Settings2 } from 'lucide-react'
import type { RefObject } from 'react'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import type { StreamChoices } from '../engine/stream-types.ts'
import { SleepMenu } from '../sleep/sleep-menu.tsx'
import type { SleepTimer } from '../sleep/sleep-rules.ts'
import { useSwipeUp } from '../use-swipe-up.ts'
import { type MenuGroup, PlayerMenu } from './player-menu.tsx'
import type { Captions } from './use-captions.ts'
import type { Timeline } from './use-timeline.ts'

interface Props {
  container: RefObject<HTMLElement | null>
  choices: StreamChoices | undefined
  captions: Captions
  sleepTimer: SleepTimer
  channelId: number
  timeline: Timeline | undefined
  onAudio: (id: number) => void
  onLevel: (id: number) => void
  onSleepTimer: (timer: SleepTimer) => void
  onSwipeUp: () => void
  /** Shows the guide over the picture. */
  onGuide: () => void
}
/** The caption sizes in percent; 0 is the system default. */
const captionSizes = [0, 75, 100, 150, 200]
/** The caption backgrounds; the first one is the system default. */
const captionBackgrounds = [
  { key: '', label: 'System default' },
  { key: 'dark', label: 'Dark' },
  { key: 'none', label: 'None' },
]

/**
 * The guide button, the menus for audio, captions and quality, each shown only if there is a choice, and the sleep timer menu. On phones, audio is part of the
 * captions menu.
 */
export function PlayerMenus({
  container,
  choices,
  captions,
  sleepTimer,
  channelId,
  timeline,
  onAudio,
  onLevel,
  onSleepTimer,
  onSwipeUp,
  onGuide,
}: Props) {
  useSwipeUp(container, onSwipeUp)
  const [size, storeSize] = useLocalStorage('watch-caption-size')
  const [background, storeBackground] = useLocalStorage('watch-caption-background')
  const { audio = [], audioId = -1, levels = [], levelId = -1, height = 0 } = choices ?? {}
  const sound: MenuGroup = { title: 'Audio', choices: audio, chosen: audioId, onChoose: onAudio }
  const subtitles: MenuGroup = {
    title: 'Subtitles',
    choices: [{ id: -1, label: 'Off', detail: '', key: 'off' }, ...captions.tracks],
    chosen: captions.shownId,
    onChoose: captions.choose,
  }
  const sizes: MenuGroup = {
    title: 'Subtitle size',
    choices: captionSizes.map((id) => ({
      id,
      label: id === 0 ? 'System default' : `${id}%`,
      detail: '',
      key: String(id),
    })),
    chosen: Number(size),
    onChoose: (id) => storeSize(id === 0 ? '' : String(id)),
  }
  const backgrounds: MenuGroup = {
    title: 'Subtitle background',
    choices: captionBackgrounds.map((choice, id) => ({ ...choice, id, detail: '' })),
    chosen: captionBackgrounds.findIndex(({ key }) => key === background),
    onChoose: (id) => storeBackground(captionBackgrounds[id]!.key),
  }
  const quality: MenuGroup = {
    title: 'Quality',
    choices: [{ id: -1, label: 'Auto', detail: height > 0 ? `Now ${height}p` : '', key: '' }, ...levels],
    chosen: levelId,
    onChoose: onLevel,
  }
  const hasSound = audio.length > 1
  const hasCaptions = captions.tracks.length > 0
  return (
    <>
      <button type="button" className="player-control" aria-label="Guide" title="Guide (G)" onClick={onGuide}>
        <CalendarDays />
      </button>
      {hasSound && (
        <PlayerMenu
          label="Audio"
          icon={<AudioLines />}
          groups={[sound]}
          className={hasCaptions ? 'player-wide' : undefined}
        />
      )}
      {hasCaptions && (
        <PlayerMenu
          label="Subtitles"
          icon={<CaptionsIcon />}
          groups={[subtitles, sizes, backgrounds, ...(hasSound ? [{ ...sound, isNarrow: true }] : [])]}
          isOn={captions.shownId >= 0}
        />
      )}
      {levels.length > 1 && <PlayerMenu label="Quality" icon={<Settings2 />} groups={[quality]} />}
      <SleepMenu timer={sleepTimer} channelId={channelId} timeline={timeline} onChoose={onSleepTimer} />
    </>
  )
}
