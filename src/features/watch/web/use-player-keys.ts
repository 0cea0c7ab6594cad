import { useEffect, useRef } from 'react'
import type { PlayerActions } from './player-actions.ts'

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
        i: actions.showDetails,
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
        Backspace: lastChannel,
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
