import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { Button } from '../button/button.tsx'
import { Note } from '../note.tsx'
import { toast } from '../toast/toast.ts'

interface Props {
  message: string
  /** Set when the record was changed by someone else: reloads the current version. */
  onReload?: (() => Promise<void>) | undefined
}

/** The error message beside the buttons of a form or dialog. The typed values stay. */
export function FormError({ message, onReload }: Props) {
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
