import { useEffect, useRef } from 'react'
import type { PlayerActions } from './player-actions.ts'

/** The keyboard shortcuts of the player, as its list shows them. `single`: a shortcut of one character, which the viewer can switch off. */
export const playerKeys: readonly { keys: string; does: string; single?: true }[] = [
  { keys: 'Space, K', does: 'play or pause' },
  { keys: '↑ ↓', does: 'volume' },
  { keys: 'Page Up, Page Down', does: 'channel up, channel down' },
  { keys: 'L', does: 'last channel', single: true },
  { keys: 'End', does: 'go live' },
  { keys: 'M', does: 'mute', single: true },
  { keys: 'F', does: 'full screen', single: true },
  { keys: 'P', does: 'picture in picture', single: true },
  { keys: '?', does: 'show this list', single: true },
]

type Options = { actions: PlayerActions; volume: number; lastChannel: () => void; singleKeys: boolean }

/** Handles the keys of the player, except in fields, sliders, menus and dialogs, and with Ctrl, Alt or Meta. */
export function usePlayerKeys(options: Options): void {
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
      if (target.closest('input, select, textarea, [role=dialog], [role=menu], [contenteditable]')) return
      const { actions, volume, lastChannel, singleKeys } = latest.current
      const single: Record<string, (() => void) | undefined> = {
        k: actions.togglePlay,
        l: lastChannel,
        m: actions.toggleMuted,
        f: actions.toggleFull,
        p: actions.togglePicture,
        '?': actions.showKeys,
      }
      const always: Record<string, (() => void) | undefined> = {
        ArrowUp: () => actions.setVolume(volume + 0.05),
        ArrowDown: () => actions.setVolume(volume - 0.05),
        PageUp: () => actions.step(-1),
        PageDown: () => actions.step(1),
        ChannelUp: () => actions.step(-1),
        ChannelDown: () => actions.step(1),
        End: actions.goLive,
        // On a button, Space presses the button.
        ' ': target.closest('button, a') ? undefined : actions.togglePlay,
      }
      const act = always[event.key] ?? (singleKeys ? single[event.key.toLowerCase()] : undefined)
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
