import { useEffect, useRef } from 'react'
import { announce } from '#web/ui/announce.ts'

/** Announces messages that arrive while a ticket is shown. `isIncoming`: whether the other side wrote the message. */
export function useNewMessages(messages: readonly { id: number; isIncoming: boolean }[] | undefined): void {
  const newestId = messages?.at(-1)?.id
  const isIncoming = messages?.at(-1)?.isIncoming ?? false
  const known = useRef<number>(undefined)
  useEffect(() => {
    if (newestId === undefined) return
    if (known.current !== undefined && newestId > known.current && isIncoming) announce('A new message arrived')
    known.current = newestId
  }, [newestId, isIncoming])
}
