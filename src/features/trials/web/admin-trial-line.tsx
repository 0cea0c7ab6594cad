import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { createTrialLine, getTrialLine, type TrialLine } from '../admin-contract.ts'
import { trialLengths } from '../rules.ts'

interface Props {
  requestId: number
  /** Called with the credentials of the new line. */
  onReady: (line: TrialLine) => void
}

/** Buttons that create a trial line on the panel and fill its credentials into the form. Renders nothing with manual provisioning. */
export function AdminTrialLine({ requestId, onReady }: Props) {
  const params = { trialRequestId: requestId }
  const { data: line } = useQuery(query(getTrialLine, { params }))
  const create = useSend(createTrialLine, [getTrialLine])
  const [recentTrial, setRecentTrial] = useState<{ hours: number; message: string }>()
  const [failureText, setFailure] = useState('')
  // Only a line that was requested here is filled into the form automatically. An earlier line has a button for that.
  const isRequestedHere = useRef(false)
  useEffect(() => {
    if (line?.state !== 'ready' || !isRequestedHere.current) return
    isRequestedHere.current = false
    onReady(line)
  }, [line, onReady])
  if (!line?.isAvailable) return null

  const createLine = (hours: number, acknowledge: boolean) => {
    isRequestedHere.current = true
    setFailure('')
    create.mutate(
      { params, body: { hours, acknowledge } },
      {
        onSuccess: () => setRecentTrial(undefined),
        onError: (failure) => {
          isRequestedHere.current = false
          const message = messageOf(failure)
          if (failure instanceof ApiError && failure.code === 'recent_trial') setRecentTrial({ hours, message })
          else setFailure(message)
        },
      },
    )
  }
  return (
    <div className="grid gap-3">
      {line.state === 'none' && (
        <p className="flex flex-wrap gap-2">
          {trialLengths.map((hours) => (
            <Button
              key={hours}
              variant="soft"
              size="sm"
              pending={create.isPending}
              onClick={() => createLine(hours, false)}
            >
              Create trial line, {hours} hours
            </Button>
          ))}
        </p>
      )}
      {line.state === 'waiting' && (
        <Note role="status">
          The panel is creating the line. Its credentials will appear here automatically. {line.message}
        </Note>
      )}
      {line.state === 'stuck' && (
        <Note tone="bad">The line could not be created. {line.message} See the task on the Lines page.</Note>
      )}
      {line.state === 'ready' && (
        <Note
          tone="ok"
          role="status"
          action={
            <Button variant="line" size="sm" onClick={() => onReady(line)}>
              Fill In
            </Button>
          }
        >
          The panel has created the line {line.username}. The customer sees it once you approve the request.
        </Note>
      )}
      {failureText && (
        <Note tone="bad" role="alert">
          {failureText}
        </Note>
      )}
      <ConfirmDialog
        open={recentTrial !== undefined}
        onOpenChange={(open) => !open && setRecentTrial(undefined)}
        title="Create another trial line?"
        description={recentTrial?.message ?? ''}
        action="Create Anyway"
        pending={create.isPending}
        onConfirm={() => recentTrial && createLine(recentTrial.hours, true)}
      />
    </div>
  )
}
