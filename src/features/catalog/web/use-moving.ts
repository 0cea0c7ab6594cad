import { useEffect, useRef } from 'react'
import { messageOf } from '#kit/caller.ts'
import { announce } from '#web/ui/announce.ts'
import { toast } from '#web/ui/toast.ts'

export type Way = 'up' | 'down'

/** Moves entries one place, one after the other however fast somebody presses; says where each came to stand and keeps the focus on its button. */
export function useMoving<Entry extends { id: number }>(send: (id: number, way: Way) => Promise<Entry[]>) {
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const focus = useRef<string>(undefined)
  useEffect(() => {
    // A row that moved in the page has lost the focus.
    if (focus.current && document.activeElement === document.body) document.getElementById(focus.current)?.focus()
  })
  return (id: number, way: Way): void => {
    focus.current = `entry-${id}-${way}`
    queue.current = queue.current.then(async () => {
      try {
        const now = await send(id, way)
        announce(`Moved to place ${now.findIndex((entry) => entry.id === id) + 1} of ${now.length}`)
      } catch (error) {
        toast({ title: 'Move Failed', description: messageOf(error), variant: 'destructive' })
      }
    })
  }
}
