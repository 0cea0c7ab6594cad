import {
  ChevronDown,
  ChevronUp,
  Flag,
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
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import { timeText } from '../timeline-rules.ts'
import { SeekBar } from './player/seek-bar.tsx'
import type { Timeline } from './player/use-timeline.ts'
import type { PlayerActions } from './player-actions.ts'
import type { VideoState } from './use-video.ts'

interface Props {
  channel: { name: string; number: number | null; logo: string }
  program: { title: string; detail: string } | undefined
  videoState: VideoState
  actions: PlayerActions
  timeline: Timeline | undefined
  onSeek: (to: number) => void
  isRecording: boolean
  menus: ReactNode
}

/** A circular arrow with the number 10 in it. */
function TenSeconds({ icon }: { icon: ReactNode }) {
  return (
    <span className="player-ten" aria-hidden="true">
      {icon}
      <span>10</span>
    </span>
  )
}

/** The controls over the video. Shows only the controls that have an effect; the class `player-wide` hides some of them on phones. */
export function PlayerControls({
  channel: { name, number, logo },
  program,
  videoState,
  actions,
  timeline,
  onSeek,
  isRecording,
  menus,
}: Props) {
  const { isPaused, isMuted, volume } = videoState
  const isBehind = isRecording || videoState.isBehind
  const canSeek = timeline?.canSeek || isBehind
  return (
    <>
      <div className="player-top">
        <ChannelLogo logo={logo} />
        <p>
          <b>{program?.title ?? name}</b>
          <span>{[[number, name].filter(Boolean).join(' '), program?.detail].filter(Boolean).join(' · ')}</span>
        </p>
        <span className="player-row player-wide">
          <Control label="Channel up" keys="Page Up" icon={<ChevronUp />} onPress={() => actions.changeChannel(-1)} />
          <Control
            label="Channel down"
            keys="Page Down"
            icon={<ChevronDown />}
            onPress={() => actions.changeChannel(1)}
          />
          <Control label="Report a problem" icon={<Flag />} onPress={actions.report} />
          <Control label="Keyboard shortcuts" keys="?" icon={<Keyboard />} onPress={actions.showShortcuts} />
        </span>
      </div>
      <div className="player-bottom">
        {timeline && <SeekBar timeline={timeline} onSeek={onSeek} />}
        <div className="player-row">
          <Control
            label={isPaused ? 'Play' : 'Pause'}
            keys="Space"
            icon={isPaused ? <Play /> : <Pause />}
            onPress={actions.togglePlay}
            className="player-main"
          />
          {canSeek && (
            <>
              <Control
                label="Back 10 seconds"
                keys="←"
                icon={<TenSeconds icon={<RotateCcw />} />}
                onPress={() => actions.seekBy(-10)}
                className="player-back"
              />
              <Control
                label="Forward 10 seconds"
                keys="→"
                icon={<TenSeconds icon={<RotateCw />} />}
                isDisabled={!isBehind}
                onPress={() => actions.seekBy(10)}
                className="player-forward"
              />
            </>
          )}
          <button type="button" className="player-live" data-behind={isBehind || undefined} onClick={actions.goLive}>
            {isBehind ? 'Go live' : 'LIVE'}
          </button>
          <Control
            label={isMuted ? 'Unmute' : 'Mute'}
            keys="M"
            icon={isMuted || volume === 0 ? <VolumeX /> : <Volume2 />}
            onPress={actions.toggleMuted}
            className="player-wide"
          />
          <input
            type="range"
            className="player-volume player-wide"
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
          {actions.watchFromStart && (
            <Control
              label="Watch from start"
              keys="Home"
              icon={<SkipBack />}
              onPress={actions.watchFromStart}
              className="player-wide"
            />
          )}
          {menus}
          {actions.togglePictureInPicture && (
            <Control
              label="Picture in picture"
              keys="P"
              icon={<PictureInPicture2 />}
              onPress={actions.togglePictureInPicture}
              className="player-wide"
            />
          )}
          <Control label="Full screen" keys="F" icon={<Maximize />} onPress={actions.toggleFullScreen} />
        </div>
      </div>
    </>
  )
}

interface ControlProps {
  label: string
  /** The keyboard shortcut, shown with the label. */
  keys?: string
  icon: ReactNode
  onPress: () => void
  className?: string
  isDisabled?: boolean
}
function Control({ label, keys, icon, onPress, className = '', isDisabled = false }: ControlProps) {
  return (
    <button
      type="button"
      className={`player-control ${className}`}
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onPress()}
    >
      {icon}
    </button>
  )
}
