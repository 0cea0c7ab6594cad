import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getTemplateDocument, listMails, type MailTemplate, testTemplate } from '../admin-contract.ts'
import { MailPreview } from './mail-preview.tsx'

interface Props {
  template: MailTemplate
  /** The sender address; null without a mail server. */
  from: string | null
  returnTo: () => HTMLElement | null
}

/** Previews a template with sample data and the operator's brand. */
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
              ? { title: 'Test email queued', description: `It will be sent to ${recipient}.` }
              : {
                  title: 'Test email not sent',
                  description: `No mail server is set up. You can read the email to ${recipient} in the log.`,
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
      <MailPreview src={getTemplateDocument.path.replace(':template', template.name)} text={template.text} />
    </Dialog>
  )
}
