import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { Button } from '../button.tsx'
import { Note } from '../note.tsx'
import { toast } from '../toast.ts'

interface Props {
  message: string
  /** Given where the thing itself has changed meanwhile: reading it again is the way on. */
  onReload?: (() => Promise<void>) | undefined
}

/** What stands in the way of a change, beside the buttons of its dialog; the typed values stay. */
export function DialogError({ message, onReload }: Props) {
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
