import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type MailDetail, revealMail } from '../admin-contract.ts'

/** Shows the secret link of an unsent email on demand. Anyone who has the link can act as the recipient. */
export function AdminMailReveal({ mail }: { mail: MailDetail }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const reveal = useSend(revealMail)
  const show = () =>
    reveal.mutate(
      { params: { mailId: mail.id } },
      {
        onSuccess: () => {
          setIsConfirming(false)
          toast({ title: 'Link revealed', description: 'This was recorded in the audit log.' })
        },
        onError: (failure) => {
          setIsConfirming(false)
          toast({ title: 'Reveal Failed', description: messageOf(failure), variant: 'destructive' })
        },
      },
    )
  return (
    <>
      <Note>
        <p>
          This email contains a one-time link. No mail server is set up, so you can pass the link on yourself, through a
          channel that only the recipient can read.
        </p>
        {reveal.data ? (
          <p className="mt-3 flex flex-wrap items-center gap-3">
            <code className="min-w-0 wrap-anywhere">{reveal.data.link}</code>
            <CopyButton text={reveal.data.link} what="link" size="sm" />
          </p>
        ) : (
          <Button variant="line" size="sm" className="mt-3" onClick={() => setIsConfirming(true)}>
            Reveal link…
          </Button>
        )}
      </Note>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={`Reveal the link for ${mail.recipient}?`}
        description="Anyone who has this link can act as the recipient of this email. Revealing it is recorded in the audit log."
        action="Reveal link"
        pending={reveal.isPending}
        onConfirm={show}
      />
    </>
  )
}
