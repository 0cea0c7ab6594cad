import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { toast } from '#web/ui/toast.ts'

/** Hides an entry or shows it again with one press: which one is under way, and a toast for either end. `noun`: "Plan". */
export function useHiding<Entry extends { id: number; hidden: boolean }>(
  noun: string,
  of: (entry: Entry) => { name: string; send: () => Promise<unknown> },
) {
  const [pending, setPending] = useState<number>()
  const toggle = async (entry: Entry) => {
    const { name, send } = of(entry)
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
