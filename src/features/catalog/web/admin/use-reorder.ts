import { useEffect, useRef } from 'react'
import { messageOf } from '#kit/caller.ts'
import { announce } from '#web/ui/announce.ts'
import { toast } from '#web/ui/toast/toast.ts'

export type Direction = 'up' | 'down'

/** Moves entries by one position. Requests are sent one after another. Each new position is announced, and the clicked button keeps the focus. */
export function useReorder<Entry extends { id: number }>(send: (id: number, direction: Direction) => Promise<Entry[]>) {
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const focus = useRef<string>(undefined)
  useEffect(() => {
    // An element that is moved in the document loses the focus, so the button is focused again.
    if (focus.current && document.activeElement === document.body) document.getElementById(focus.current)?.focus()
  })
  return (id: number, direction: Direction): void => {
    focus.current = `entry-${id}-${direction}`
    queue.current = queue.current.then(async () => {
      try {
        const now = await send(id, direction)
        announce(`Moved to position ${now.findIndex((entry) => entry.id === id) + 1} of ${now.length}`)
      } catch (error) {
        toast({ title: 'Move Failed', description: messageOf(error), variant: 'destructive' })
      }
    })
  }
}
