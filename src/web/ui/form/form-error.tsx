import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { Button } from '../button/button.tsx'
import { ButtonAnchor } from '../button/button-anchor.tsx'
import { Note } from '../note.tsx'
import { toast } from '../toast/toast.ts'

interface Props {
  message: string
  /** The stable code of the error. If the session has ended, the message has a link to the login page. */
  code?: string | undefined
  /** Set when the record was changed by someone else: reloads the current version. */
  onReload?: (() => Promise<void>) | undefined
}

/** The error message beside the buttons of a form or dialog. The typed values stay. */
export function FormError({ message, code, onReload }: Props) {
  const [isReloading, setReloading] = useState(false)
  const here = useLocation({ select: (location) => location.href })
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
        code === 'not_signed_in' ? (
          // Loads a new document, which discards the data of the ended session.
          <ButtonAnchor variant="line" size="sm" href={`/auth?tab=login&redirect=${encodeURIComponent(here)}`}>
            Log In
          </ButtonAnchor>
        ) : (
          onReload && (
            <Button variant="line" size="sm" pending={isReloading} onClick={() => void reload()}>
              Reload
            </Button>
          )
        )
      }
    >
      {message}
    </Note>
  )
}
