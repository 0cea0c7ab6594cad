import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/form/confirm-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'
import { type MailDetail, revealMail } from '../contract.ts'

/** The secret link of a kept mail, shown on demand: whoever has it can act as its reader. */
export function AdminMailReveal({ mail }: { mail: MailDetail }) {
  const [asks, setAsks] = useState(false)
  const reveal = useSend(revealMail)
  const show = () =>
    reveal.mutate(
      { params: { mailId: mail.id } },
      {
        onSuccess: () => {
          setAsks(false)
          toast({ title: 'Link revealed', description: 'It was noted in the audit log.' })
        },
        onError: (failure) => {
          setAsks(false)
          toast({ title: 'Reveal Failed', description: messageOf(failure), variant: 'destructive' })
        },
      },
    )
  return (
    <>
      <Note>
        <p>
          This mail carries a link that works once. No mail server is set up, so you can pass it on yourself, by a way
          that only its reader sees.
        </p>
        {reveal.data ? (
          <p className="mt-3 flex flex-wrap items-center gap-3">
            <code className="min-w-0 wrap-anywhere">{reveal.data.link}</code>
            <CopyButton text={reveal.data.link} what="link" size="sm" />
          </p>
        ) : (
          <Button variant="line" size="sm" className="mt-3" onClick={() => setAsks(true)}>
            Reveal link…
          </Button>
        )}
      </Note>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={`Reveal the link for ${mail.recipient}?`}
        description="Whoever has this link can act as the reader of the mail. That you looked at it is noted in the audit log."
        action="Reveal link"
        pending={reveal.isPending}
        onConfirm={show}
      />
    </>
  )
}
