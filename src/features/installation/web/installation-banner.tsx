import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { ConfirmDialog } from '#web/ui/form/confirm-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'
import { getInstallation, goLive, type InstallationState } from '../admin-contract.ts'

/** On every page for administrators while this installation calls no panel and sends no mail, or while another one opened its database. */
export function InstallationBanner() {
  const { data: state } = useQuery(query(getInstallation))
  if (!state) return null
  if (state.held) return <HeldNote state={state} />
  if (!state.other) return null
  return (
    <Note tone="warn" className="mb-5">
      Another installation{state.other.address && ` (${state.other.address})`} opened this database at{' '}
      <DateText value={state.other.openedAt} look="minute" />. It calls no panel and sends no mail. Give it a database
      of its own.
    </Note>
  )
}

function HeldNote({ state }: { state: InstallationState }) {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useSend(goLive, [getInstallation])
  const confirm = () =>
    mutate(
      {},
      {
        onSuccess: () => {
          setAsking(false)
          toast({ title: 'This is the live installation', description: 'Calls to the panel and mails begin now.' })
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
          <Button variant="ink" size="sm" onClick={() => setAsking(true)}>
            Go Live
          </Button>
        }
      >
        <strong>This installation is not live.</strong> {reasonOf(state)} It calls no panel and sends no mail until an
        administrator declares it live.
      </Note>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Make this the live installation?"
        description="Stop every other installation with the same customers first: two live ones change the same lines and send the same mails."
        action="Go Live"
        onConfirm={confirm}
        pending={isPending}
      >
        <p>
          {counted(state.waiting.mails, 'waiting mail')} and {counted(state.waiting.lineJobs, 'job')} for the panel
          start at once. All lines are then compared with the panel.
        </p>
      </ConfirmDialog>
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
  return `Its database belongs to an installation in another place${liveAddress ? ` (${liveAddress})` : ''}.`
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
