import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { PlayRequest } from '../play-calls.ts'

type LinkState = { play?: boolean; fromStart?: boolean }
/**
 * Plays automatically if the link to the page requested this in its history state, but not after a reload. A recording resumes where the customer stopped,
 * unless the link has `fromStart`.
 */
export function usePlayFromLink(
  channelId: number | undefined,
  from: string | undefined,
  start: (wanted: PlayRequest) => void,
): void {
  const playRequested = useLocation({
    // When a link on this page is followed, the location changes before the channel and the time of the page.
    select: ({ state, pathname, search }) =>
      (state as LinkState).play === true &&
      (search as { from?: unknown }).from === from &&
      [undefined, String(channelId)].includes(pathname.split('/')[2]),
  })
  const resume = useLocation({ select: ({ state }) => !(state as LinkState).fromStart })
  const navigate = useNavigate()
  const latest = useRef(start)
  latest.current = start
  useEffect(() => {
    if (!playRequested || channelId === undefined) return
    void navigate({ to: '.', search: true, state: {}, replace: true, resetScroll: false } as never)
    latest.current({ channelId, from, resume })
  }, [playRequested, channelId, from, resume, navigate])
}
