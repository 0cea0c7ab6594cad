import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Wanted } from '../use-play.ts'

/** Plays automatically when a link to the page requested it in its state, but not after a reload. */
export function usePlayFromLink(
  channelId: number | undefined,
  from: string | undefined,
  start: (wanted: Wanted) => void,
): void {
  const playRequested = useLocation({ select: ({ state }) => (state as { play?: boolean }).play === true })
  const navigate = useNavigate()
  const latest = useRef(start)
  latest.current = start
  useEffect(() => {
    if (!playRequested || channelId === undefined) return
    void navigate({ to: '.', search: true, state: {}, replace: true, resetScroll: false } as never)
    latest.current({ channelId, from })
  }, [playRequested, channelId, from, navigate])
}
