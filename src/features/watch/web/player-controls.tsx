import {
  ChevronDown,
  ChevronUp,
  Keyboard,
  Maximize,
  Pause,
  PictureInPicture2,
  Play,
  Volume2,
  VolumeX,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { PlayerActions } from './player-actions.ts'
import type { VideoState } from './use-video.ts'

interface Props {
  channelName: string
  programTitle: string | undefined
  video: VideoState
  actions: PlayerActions
}

/** The controls over the picture: only what works is shown. */
export function PlayerControls({ channelName, programTitle, video, actions }: Props) {
  const { isPaused, isMuted, volume, isBehind } = video
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
      <div className="player-bottom player-row">
        <Control
          label={isPaused ? 'Play' : 'Pause'}
          icon={isPaused ? <Play /> : <Pause />}
          onPress={actions.togglePlay}
          className="player-main"
        />
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
        <span className="grow" />
        {actions.togglePicture && (
          <Control label="Picture in picture" icon={<PictureInPicture2 />} onPress={actions.togglePicture} />
        )}
        <Control label="Full screen" icon={<Maximize />} onPress={actions.toggleFull} />
      </div>
    </>
  )
}

interface ControlProps {
  label: string
  icon: ReactNode
  onPress: () => void
  className?: string
}
function Control({ label, icon, onPress, className = '' }: ControlProps) {
  return (
    <button type="button" className={`player-control ${className}`} aria-label={label} onClick={onPress}>
      {icon}
    </button>
  )
}
