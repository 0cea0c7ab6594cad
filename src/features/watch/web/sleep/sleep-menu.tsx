import { Moon } from 'lucide-react'
import { clockTime } from '#kit/clock.ts'
import { announce } from '#web/ui/announce.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { PlayerMenu } from '../player/player-menu.tsx'
import type { Timeline } from '../player/use-timeline.ts'
import { endOfProgram, type SleepTimer, sleepTimerOf } from './sleep-rules.ts'

const minutes = [30, 60, 90]

interface Props {
  timer: SleepTimer
  channelId: number
  timeline: Timeline | undefined
  onChoose: (timer: SleepTimer) => void
}

/** The sleep timer menu. If the end of the program is known, it is one of the choices. */
export function SleepMenu({ timer: { chosen, stopsAt }, channelId, timeline, onChoose }: Props) {
  const zone = useTimeZone()
  const choices = [
    { id: 0, label: 'Off', detail: '' },
    ...minutes.map((id) => ({
      id,
      label: `${id} minutes`,
      detail: id === chosen && stopsAt !== undefined ? `At ${clockTime(stopsAt, zone)}` : '',
    })),
    ...(timeline && timeline.at < timeline.to
      ? [
          {
            id: endOfProgram,
            label: 'End of this program',
            detail: clockTime(timeline.live + timeline.to - timeline.at, zone),
          },
        ]
      : []),
  ].map((choice) => ({ ...choice, key: String(choice.id) }))
  const choose = (id: number) => {
    onChoose(sleepTimerOf(id, { channelId, timeline, now: Date.now() }))
    announce(`Sleep timer: ${choices.find((choice) => choice.id === id)!.label}`)
  }
  return (
    <PlayerMenu
      label="Sleep timer"
      icon={<Moon />}
      groups={[{ title: 'Stop playback', choices, chosen, onChoose: choose }]}
      isOn={chosen !== 0}
    />
  )
}
