import type { RefObject } from 'react'
import { liveEdge } from './use-video.ts'

/** What the buttons and keys of the player do. */
export type PlayerActions = {
  togglePlay: () => void
  toggleMuted: () => void
  setVolume: (volume: number) => void
  goLive: () => void
  toggleFull: () => void
  /** Undefined where the browser cannot do it. */
  togglePicture: (() => void) | undefined
  /** Changes to the next (1) or previous (-1) channel of the list. */
  step: (by: 1 | -1) => void
  showKeys: () => void
  /** Moves by seconds, in what is loaded or in the archive. */
  moveBy: (seconds: number) => void
  /** The following are undefined where there is nothing to do. */
  fromStart: (() => void) | undefined
  toggleCaptions: (() => void) | undefined
  nextAudio: (() => void) | undefined
  onDigit: ((digit: string) => void) | undefined
  toggleStrip: () => void
  openGuide: () => void
  toggleWatchlist: () => void
  /** Opens the details of the program that plays. */
  showDetails: (() => void) | undefined
  /** Tells the team that the channel does not play well. */
  report: () => void
}
type VideoActions = Pick<
  PlayerActions,
  'togglePlay' | 'toggleMuted' | 'setVolume' | 'goLive' | 'toggleFull' | 'togglePicture'
>
type Elements = { video: RefObject<HTMLVideoElement | null>; container: RefObject<HTMLElement | null> }

/** The actions on the video element. */
export function videoActions({ video, container }: Elements): VideoActions {
  const ignore = () => undefined
  const withVideo = (act: (element: HTMLVideoElement) => void) => () => video.current && act(video.current)
  return {
    togglePlay: withVideo((element) => {
      if (element.paused) void element.play().catch(ignore)
      else element.pause()
    }),
    toggleMuted: withVideo((element) => {
      element.muted = !element.muted
    }),
    setVolume: (volume) => {
      if (!video.current) return
      video.current.muted = volume === 0
      video.current.volume = Math.min(1, Math.max(0, volume))
    },
    goLive: withVideo((element) => {
      const edge = liveEdge(element)
      if (edge !== undefined) element.currentTime = Math.max(0, edge - 4)
      void element.play().catch(ignore)
    }),
    // The container and not the video: its messages and controls stay visible.
    toggleFull: () => {
      if (document.fullscreenElement) void document.exitFullscreen().catch(ignore)
      else void container.current?.requestFullscreen?.().catch(ignore)
    },
    togglePicture:
      typeof document !== 'undefined' && document.pictureInPictureEnabled
        ? withVideo((element) => {
            if (document.pictureInPictureElement) void document.exitPictureInPicture().catch(ignore)
            else void element.requestPictureInPicture().catch(ignore)
          })
        : undefined,
  }
}
