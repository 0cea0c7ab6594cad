import { useEffect, useRef } from 'react'
import type { PlayerActions } from './player-actions.ts'

/** The keyboard shortcuts of the player, as its list shows them. `single`: a shortcut of one character, which the viewer can switch off. */
export const playerKeys: readonly { keys: string; does: string; single?: true }[] = [
  { keys: 'Space', does: 'play or pause' },
  { keys: 'K', does: 'play or pause', single: true },
  { keys: '← →', does: 'back or forward 10 seconds, with Shift 1 minute' },
  { keys: '↑ ↓', does: 'volume' },
  { keys: 'Page Up, Page Down', does: 'channel up, channel down' },
  { keys: 'L', does: 'last channel', single: true },
  { keys: '0 … 9', does: 'channel by number', single: true },
  { keys: 'End', does: 'go live' },
  { keys: 'Home', does: 'watch from start' },
  { keys: 'C', does: 'subtitles on or off', single: true },
  { keys: 'A', does: 'next audio track', single: true },
  { keys: 'M', does: 'mute', single: true },
  { keys: 'S', does: 'channel strip', single: true },
  { keys: 'G', does: 'guide', single: true },
  { keys: 'P', does: 'picture in picture', single: true },
  { keys: 'F', does: 'full screen', single: true },
  { keys: 'W', does: 'add to watchlist', single: true },
  { keys: '?', does: 'this list', single: true },
  { keys: 'Esc', does: 'close the top layer, then leave full screen' },
]

type Options = { actions: PlayerActions; volume: number; lastChannel: () => void; singleKeys: boolean }
const controls = 'input, select, textarea, [role=dialog], [role=menu], [contenteditable], [data-menu]'

/** Handles the keys of the player, except in fields, sliders, menus and dialogs, and with Ctrl, Alt or Meta. */
export function usePlayerKeys(options: Options): void {
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
      if (target.closest(controls)) return
      const { actions, volume, lastChannel, singleKeys } = latest.current
      const single: Record<string, (() => void) | undefined> = {
        k: actions.togglePlay,
        l: lastChannel,
        m: actions.toggleMuted,
        f: actions.toggleFull,
        p: actions.togglePicture,
        c: actions.toggleCaptions,
        a: actions.nextAudio,
        s: actions.toggleStrip,
        g: actions.openGuide,
        w: actions.toggleWatchlist,
        '?': actions.showKeys,
      }
      const seconds = event.shiftKey ? 60 : 10
      const always: Record<string, (() => void) | undefined> = {
        ArrowLeft: () => actions.moveBy(-seconds),
        ArrowRight: () => actions.moveBy(seconds),
        ArrowUp: () => actions.setVolume(volume + 0.05),
        ArrowDown: () => actions.setVolume(volume - 0.05),
        PageUp: () => actions.step(-1),
        PageDown: () => actions.step(1),
        ChannelUp: () => actions.step(-1),
        ChannelDown: () => actions.step(1),
        End: actions.goLive,
        Home: actions.fromStart,
        // On a button, Space presses the button.
        ' ': target.closest('button, a') ? undefined : actions.togglePlay,
      }
      const digit = /^\d$/.test(event.key) ? actions.onDigit : undefined
      const act =
        always[event.key] ??
        (singleKeys ? (digit ? () => digit(event.key) : single[event.key.toLowerCase()]) : undefined)
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
