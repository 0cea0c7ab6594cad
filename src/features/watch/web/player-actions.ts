import type { RefObject } from 'react'

/** The actions of the player's buttons and keyboard shortcuts. */
export type PlayerActions = {
  togglePlay: () => void
  toggleMuted: () => void
  setVolume: (volume: number) => void
  goLive: () => void
  toggleFullScreen: () => void
  /** Undefined if the browser does not support picture in picture. */
  togglePictureInPicture: (() => void) | undefined
  /** Changes to the next (1) or previous (-1) channel in the list. */
  changeChannel: (step: 1 | -1) => void
  showShortcuts: () => void
  /** Seeks by this many seconds, within the buffered part or into the archive. */
  seekBy: (seconds: number) => void
  /** Undefined if the program cannot be watched from its start. */
  watchFromStart: (() => void) | undefined
  /** Undefined if the stream has no captions. */
  toggleCaptions: (() => void) | undefined
  /** Undefined if there is no other audio track. */
  nextAudio: (() => void) | undefined
  /** Undefined if no channel has a number. */
  onDigit: ((digit: string) => void) | undefined
  toggleStrip: () => void
  /** Shows the guide over the picture. */
  openGuide: () => void
  toggleWatchlist: () => void
  /** Opens the details of the program that is playing; undefined if none is known. */
  showDetails: (() => void) | undefined
  /** Plays the next favorite; undefined if there is no other favorite. */
  nextFavorite: (() => void) | undefined
  /** Reports a problem with the channel. */
  report: () => void
}
type VideoActions = Pick<
  PlayerActions,
  'togglePlay' | 'toggleMuted' | 'setVolume' | 'toggleFullScreen' | 'togglePictureInPicture'
>
type Elements = { video: RefObject<HTMLVideoElement | null>; container: RefObject<HTMLElement | null> }

type IphoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }
const ignore = () => undefined

/** Leaves full screen. Call it before a dialog opens, because dialogs are outside of the player, and full screen shows only the player. */
export function leaveFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(ignore)
}

/** Returns the actions on the video element. */
export function videoActions({ video, container }: Elements): VideoActions {
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
    // Uses the container instead of the video, so that messages and controls stay visible.
    toggleFullScreen: () => {
      if (document.fullscreenElement) leaveFullScreen()
      else if (container.current?.requestFullscreen) void container.current.requestFullscreen().catch(ignore)
      // iPhones can show only the video in full screen.
      else (video.current as IphoneVideo | null)?.webkitEnterFullscreen?.()
    },
    togglePictureInPicture:
      typeof document !== 'undefined' && document.pictureInPictureEnabled
        ? withVideo((element) => {
            if (document.pictureInPictureElement) void document.exitPictureInPicture().catch(ignore)
            else void element.requestPictureInPicture().catch(ignore)
          })
        : undefined,
  }
}
