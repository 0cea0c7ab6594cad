import { useEffect, useRef } from 'react'
import { announce } from '#web/ui/announce.ts'

/** Announces messages that arrive while a ticket is open. `isNews`: written by the other side. */
export function useNewMessages(messages: readonly { id: number; isNews: boolean }[] | undefined): void {
  const newestId = messages?.at(-1)?.id
  const isNews = messages?.at(-1)?.isNews ?? false
  const known = useRef<number>(undefined)
  useEffect(() => {
    if (newestId === undefined) return
    if (known.current !== undefined && newestId > known.current && isNews) announce('A new message arrived')
    known.current = newestId
  }, [newestId, isNews])
}
