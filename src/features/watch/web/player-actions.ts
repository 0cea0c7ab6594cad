import type { RefObject } from 'react'

/** The actions of the player's buttons and keyboard shortcuts. */
export type PlayerActions = {
  togglePlay: () => void
  toggleMuted: () => void
  setVolume: (volume: number) => void
  goLive: () => void
  toggleFullScreen: () => void
  /** Undefined if the browser does not support it. */
  togglePictureInPicture: (() => void) | undefined
  /** Changes to the next (1) or previous (-1) channel of the list. */
  changeChannel: (by: 1 | -1) => void
  showShortcuts: () => void
  /** Seeks by seconds, within what is buffered or into the archive. */
  seekBy: (seconds: number) => void
  /** The next four are undefined if there is nothing to do. */
  watchFromStart: (() => void) | undefined
  toggleCaptions: (() => void) | undefined
  nextAudio: (() => void) | undefined
  onDigit: ((digit: string) => void) | undefined
  toggleStrip: () => void
  /** Shows the guide over the picture. */
  openGuide: () => void
  toggleWatchlist: () => void
  /** Opens the details of the program that plays; undefined without one. */
  showDetails: (() => void) | undefined
  /** Plays the next of the favorites; undefined if there is no other one. */
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

/** Dialogs are outside of the player, and full screen shows only the player. */
export function leaveFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(ignore)
}

/** The actions on the video element. */
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
    // The container instead of the video, so that messages and controls stay visible.
    toggleFullScreen: () => {
      if (document.fullscreenElement) leaveFullScreen()
      else if (container.current?.requestFullscreen) void container.current.requestFullscreen().catch(ignore)
      // iPhones show nothing but the video in full screen.
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
