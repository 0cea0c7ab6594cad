import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getMail, getMailDocument, listMails, type MailRow, resendMail } from '../admin-contract.ts'
import { AdminMailDetails } from './admin-mail-details.tsx'
import { AdminMailReveal } from './admin-mail-reveal.tsx'
import { MailPreview } from './mail-preview.tsx'

/** One email: its delivery details and its text. */
export function AdminMailDialog({ opened: mail, returnTo }: RowDialogProps<MailRow>) {
  const [open, setOpen] = useState(true)
  const params = { mailId: mail.id }
  const { data: detail, error, refetch } = useQuery(query(getMail, { params }))
  const resend = useSend(resendMail, [listMails, getMail])
  const sendAgain = () =>
    resend.mutate(
      { params },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: 'Email queued', description: `${mail.title} will be sent to ${mail.recipient} again.` })
        },
        onError: (failure) =>
          toast({ title: 'Resend Failed', description: messageOf(failure), variant: 'destructive' }),
      },
    )

  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={mail.title}
      description={`Email ${mail.id} to ${mail.recipient}`}
      size="wide"
      returnTo={returnTo}
      footer={
        <>
          <Button variant="line" onClick={() => setOpen(false)}>
            Close
          </Button>
          {detail?.canResend && (
            <Button pending={resend.isPending} onClick={sendAgain}>
              Resend
            </Button>
          )}
        </>
      }
    >
      {error && (
        <ErrorState title="Error loading this email" message={messageOf(error)} onRetry={() => void refetch()} />
      )}
      {!detail && !error && <Skeleton className="h-96" />}
      {detail && (
        <div className="grid gap-5">
          <AdminMailDetails mail={detail} />
          {detail.canReveal && <AdminMailReveal mail={detail} />}
          {detail.trouble !== null && <Note tone="bad">This email cannot be composed: {detail.trouble}</Note>}
          {detail.text !== null && (
            <MailPreview src={getMailDocument.path.replace(':mailId', String(mail.id))} text={detail.text} />
          )}
        </div>
      )}
    </Dialog>
  )
}
