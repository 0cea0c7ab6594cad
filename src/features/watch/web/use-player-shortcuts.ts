import { useKeyDown } from '#web/ui/use-key-down.ts'
import type { PlayerActions } from './player-actions.ts'

type Options = { actions: PlayerActions; volume: number; lastChannel: () => void; singleKeys: boolean }
/** A selector for controls that handle keys themselves. */
const ownKeys = 'input, select, textarea, [role=dialog], [role=menu], [contenteditable], [data-menu]'

/** Handles the keyboard shortcuts of the player. Ignores keys in fields, sliders, menus and dialogs, and with Ctrl, Alt or Meta. */
export function usePlayerShortcuts({ actions, volume, lastChannel, singleKeys }: Options): void {
  useKeyDown((event) => {
    const target = event.target as HTMLElement
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
    if (target.closest(ownKeys)) return
    const single: Record<string, (() => void) | undefined> = {
      k: actions.togglePlay,
      l: lastChannel,
      m: actions.toggleMuted,
      f: actions.toggleFullScreen,
      p: actions.togglePictureInPicture,
      c: actions.toggleCaptions,
      a: actions.nextAudio,
      s: actions.toggleStrip,
      g: actions.openGuide,
      w: actions.toggleWatchlist,
      i: actions.showDetails,
      '?': actions.showShortcuts,
    }
    const seconds = event.shiftKey ? 60 : 10
    const always: Record<string, (() => void) | undefined> = {
      ArrowLeft: () => actions.seekBy(-seconds),
      ArrowRight: () => actions.seekBy(seconds),
      ArrowUp: () => actions.setVolume(volume + 0.05),
      ArrowDown: () => actions.setVolume(volume - 0.05),
      PageUp: () => actions.changeChannel(-1),
      PageDown: () => actions.changeChannel(1),
      ChannelUp: () => actions.changeChannel(-1),
      ChannelDown: () => actions.changeChannel(1),
      Backspace: lastChannel,
      End: actions.goLive,
      Home: actions.watchFromStart,
      // On a button or link, Space keeps its normal effect.
      ' ': target.closest('button, a') ? undefined : actions.togglePlay,
    }
    const digit = /^\d$/.test(event.key) ? actions.onDigit : undefined
    const act =
      always[event.key] ?? (singleKeys ? (digit ? () => digit(event.key) : single[event.key.toLowerCase()]) : undefined)
    if (!act) return
    event.preventDefault()
    act()
  })
}
