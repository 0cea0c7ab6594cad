import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'

interface Props {
  message: string
  /** Given where the invoice itself has changed: reading it again is the way on. */
  onReload?: (() => Promise<void>) | undefined
}

/** What stands in the way of a decision, beside the typed values. */
export function AdminInvoiceTrouble({ message, onReload }: Props) {
  const [isReloading, setReloading] = useState(false)
  const reload = async () => {
    setReloading(true)
    try {
      await onReload?.()
    } catch (failure) {
      toast({ title: 'Update Failed', description: messageOf(failure), variant: 'destructive' })
    }
    setReloading(false)
  }
  return (
    <Note
      tone="bad"
      role="alert"
      action={
        onReload && (
          <Button variant="line" size="sm" pending={isReloading} onClick={() => void reload()}>
            Reload
          </Button>
        )
      }
    >
      {message}
    </Note>
  )
}
