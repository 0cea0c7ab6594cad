import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { toast } from '#web/ui/toast/toast.ts'

/** Hides or shows an entry and reports the result in a toast. `pending` is the id of the entry whose request is pending. `noun`: "Plan". */
export function useToggleHidden<Entry extends { id: number; hidden: boolean }>(
  noun: string,
  requestFor: (entry: Entry) => { name: string; send: () => Promise<unknown> },
) {
  const [pending, setPending] = useState<number>()
  const toggle = async (entry: Entry) => {
    const { name, send } = requestFor(entry)
    setPending(entry.id)
    try {
      await send()
      toast({ title: entry.hidden ? `${noun} shown` : `${noun} hidden`, description: name })
    } catch (error) {
      toast({ title: 'Update Failed', description: messageOf(error), variant: 'destructive' })
    }
    setPending(undefined)
  }
  return { pending, toggle }
}
