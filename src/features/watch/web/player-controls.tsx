import {
  ChevronDown,
  ChevronUp,
  Keyboard,
  Maximize,
  Pause,
  PictureInPicture2,
  Play,
  RotateCcw,
  RotateCw,
  SkipBack,
  Volume2,
  VolumeX,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { timeText } from '../timeline-rules.ts'
import { Scrub } from './player/scrub.tsx'
import type { Timeline } from './player/use-timeline.ts'
import type { PlayerActions } from './player-actions.ts'
import type { VideoState } from './use-video.ts'

interface Props {
  channelName: string
  programTitle: string | undefined
  video: VideoState
  actions: PlayerActions
  timeline: Timeline | undefined
  onMove: (to: number) => void
  isRecording: boolean
  menus: ReactNode
}

/** A circular arrow around the number 10. */
function Ten({ icon }: { icon: ReactNode }) {
  return (
    <span className="player-ten" aria-hidden="true">
      {icon}
      <span>10</span>
    </span>
  )
}

/** The controls over the picture: only what works is shown. */
export function PlayerControls({
  channelName,
  programTitle,
  video,
  actions,
  timeline,
  onMove,
  isRecording,
  menus,
}: Props) {
  const { isPaused, isMuted, volume } = video
  const isBehind = isRecording || video.isBehind
  const canMove = timeline?.canSeek || isBehind
  return (
    <>
      <div className="player-top">
        <b>
          {channelName}
          {programTitle && <span className="player-program">{programTitle}</span>}
        </b>
        <span className="player-row">
          <Control label="Channel up" icon={<ChevronUp />} onPress={() => actions.step(-1)} />
          <Control label="Channel down" icon={<ChevronDown />} onPress={() => actions.step(1)} />
          <Control label="Keyboard shortcuts" icon={<Keyboard />} onPress={actions.showKeys} />
        </span>
      </div>
      <div className="player-bottom">
        {timeline && <Scrub timeline={timeline} onMove={onMove} />}
        <div className="player-row">
          <Control
            label={isPaused ? 'Play' : 'Pause'}
            icon={isPaused ? <Play /> : <Pause />}
            onPress={actions.togglePlay}
            className="player-main"
          />
          {canMove && (
            <>
              <Control
                label="Back 10 seconds"
                icon={<Ten icon={<RotateCcw />} />}
                onPress={() => actions.moveBy(-10)}
              />
              <Control
                label="Forward 10 seconds"
                icon={<Ten icon={<RotateCw />} />}
                isDisabled={!isBehind}
                onPress={() => actions.moveBy(10)}
              />
            </>
          )}
          <button type="button" className="player-live" data-behind={isBehind || undefined} onClick={actions.goLive}>
            {isBehind ? 'Go live' : 'LIVE'}
          </button>
          <Control
            label={isMuted ? 'Unmute' : 'Mute'}
            icon={isMuted || volume === 0 ? <VolumeX /> : <Volume2 />}
            onPress={actions.toggleMuted}
          />
          <input
            type="range"
            className="player-volume"
            aria-label="Volume"
            aria-valuetext={isMuted ? 'Muted' : `${Math.round(volume * 100)} percent`}
            min={0}
            max={1}
            step={0.05}
            value={isMuted ? 0 : volume}
            onChange={({ target }) => actions.setVolume(Number(target.value))}
          />
          {timeline && <span className="player-time num">{timeText(timeline)}</span>}
          <span className="grow" />
          {actions.fromStart && (
            <Control
              label="Watch from start"
              icon={<SkipBack />}
              onPress={actions.fromStart}
              className="player-from-start"
            />
          )}
          {menus}
          {actions.togglePicture && (
            <Control label="Picture in picture" icon={<PictureInPicture2 />} onPress={actions.togglePicture} />
          )}
          <Control label="Full screen" icon={<Maximize />} onPress={actions.toggleFull} />
        </div>
      </div>
    </>
  )
}

interface ControlProps {
  label: string
  icon: ReactNode
  onPress: () => void
  className?: string
  isDisabled?: boolean
}
function Control({ label, icon, onPress, className = '', isDisabled = false }: ControlProps) {
  return (
    <button
      type="button"
      className={`player-control ${className}`}
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onPress()}
    >
      {icon}
    </button>
  )
}
