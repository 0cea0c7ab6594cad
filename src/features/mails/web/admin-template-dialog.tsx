import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { getTemplateDocument, listMails, type MailTemplate, testTemplate } from '../contract.ts'
import { LetterView } from './letter-view.tsx'

interface Props {
  template: MailTemplate
  /** Whom mails come from; null without a mail server. */
  from: string | null
  returnTo: () => HTMLElement | null
}

/** A template with sample data in the operator's own brand and texts. */
export function AdminTemplateDialog({ template, from, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const test = useSend(testTemplate, [listMails])
  const sendTest = () =>
    test.mutate(
      { params: { template: template.name } },
      {
        onSuccess: ({ recipient }) =>
          toast(
            from
              ? { title: 'Test mail queued', description: `It is on its way to ${recipient}.` }
              : {
                  title: 'Test mail kept',
                  description: `No mail server is set up: the mail to ${recipient} stands in the log.`,
                },
          ),
        onError: (failure) => toast({ title: 'Test Failed', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={template.title}
      description={`Subject: ${template.subject}`}
      size="wide"
      returnTo={returnTo}
      footer={
        <>
          <Button variant="line" onClick={() => setOpen(false)}>
            Close
          </Button>
          <Button pending={test.isPending} onClick={sendTest}>
            Send test to me
          </Button>
        </>
      }
    >
      <LetterView src={getTemplateDocument.path.replace(':template', template.name)} text={template.text} />
    </Dialog>
  )
}
