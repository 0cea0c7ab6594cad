import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { LazyConfirmDialog } from '#web/ui/dialog/lazy-confirm-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getInstallation, goLive, type InstallationState } from '../admin-contract.ts'

/** Shown on all admin pages while this installation is not live, or after another installation opened its database. */
export function InstallationBanner() {
  const { data: state } = useQuery(query(getInstallation))
  if (!state) return null
  if (state.held) return <HeldNote state={state} />
  if (!state.other) return null
  return (
    <Note tone="warn" className="mb-5">
      Another installation{state.other.address && ` (${state.other.address})`} opened this database at{' '}
      <DateText value={state.other.openedAt} look="minute" />. The other installation does not call panels or send
      email. Give it its own database.
    </Note>
  )
}

function HeldNote({ state }: { state: InstallationState }) {
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useSend(goLive, [getInstallation])
  const confirm = () =>
    mutate(
      {},
      {
        onSuccess: () => {
          setConfirming(false)
          toast({ title: 'This is the live installation', description: 'Panel calls and emails start now.' })
        },
        onError: (error) =>
          toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <>
      <Note
        tone="bad"
        className="mb-5"
        action={
          <Button variant="ink" size="sm" onClick={() => setConfirming(true)}>
            Go Live
          </Button>
        }
      >
        <strong>This installation is not live.</strong> {reasonOf(state)} It does not call panels or send email until an
        administrator declares it live.
      </Note>
      <LazyConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Make this the live installation?"
        description="First stop every other installation with the same customers: two live installations would change the same lines and send the same emails."
        action="Go Live"
        onConfirm={confirm}
        pending={isPending}
      >
        <p>
          {countOf(state.waiting.mails, 'waiting email')} and {countOf(state.waiting.lineJobs, 'panel job')} will be
          processed immediately. All lines are then compared with the panel.
        </p>
      </LazyConfirmDialog>
    </>
  )
}

function reasonOf({ held, restoredAt, liveAddress }: InstallationState) {
  if (held === 'restored' && restoredAt)
    return (
      <>
        Its database was restored from a backup at <DateText value={restoredAt} look="minute" />.
      </>
    )
  if (held === 'address') return `Its PUBLIC_URL differs from that of the live installation (${liveAddress}).`
  return `Its database belongs to another installation${liveAddress ? ` (${liveAddress})` : ''}.`
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
