import { useEffect, useRef } from 'react'
import type { PlayerActions } from '../player-actions.ts'

interface Props {
  title: string
  channel: string
  logo: string
  actions: PlayerActions
}
/** Reports to the operating system what is playing, for example for the lock screen, and handles media keys. Renders nothing. */
export function MediaSession({ title, channel, logo, actions }: Props) {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    if (!('mediaSession' in navigator)) return
    const { mediaSession } = navigator
    mediaSession.metadata = new MediaMetadata({
      title,
      artist: channel,
      artwork: logo.startsWith('/') ? [{ src: new URL(logo, location.href).href }] : [],
    })
    const handlers: Partial<Record<MediaSessionAction, () => void>> = {
      play: () => latest.current.togglePlay(),
      pause: () => latest.current.togglePlay(),
      seekbackward: () => latest.current.seekBy(-10),
      seekforward: () => latest.current.seekBy(10),
      previoustrack: () => latest.current.changeChannel(-1),
      nexttrack: () => latest.current.changeChannel(1),
    }
    const set = (handler: (action: MediaSessionAction) => (() => void) | null) => {
      for (const action of Object.keys(handlers) as MediaSessionAction[]) {
        try {
          mediaSession.setActionHandler(action, handler(action))
        } catch {
          // This browser does not support the action.
        }
      }
    }
    set((action) => handlers[action] ?? null)
    return () => {
      mediaSession.metadata = null
      set(() => null)
    }
  }, [title, channel, logo])
  return null
}
