import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type AdminAnnouncement,
  getAnnouncementDocument,
  listAnnouncements,
  previewAnnouncement,
  publishAnnouncement,
  testAnnouncement,
} from '#features/announcements/admin-contract.ts'
import { audienceNames } from '#features/announcements/rules.ts'
import { RecipientsNote } from '#features/announcements/web/recipients-note.tsx'
import { MailPreview } from '#features/mails/web/mail-preview.tsx'
import { getSite } from '#features/settings/contract.ts'
import { ApiError, messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'

interface Props {
  announcement: AdminAnnouncement
  onEdit: () => void
  returnTo: () => HTMLElement | null
}

/** Shows an announcement as customers will see it, and publishes a draft. The dialog is initially open: use a new `key` for each opening. */
export function AnnouncementReview({ announcement, onEdit, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const { id, version, title, summary, linkLabel, onSite, emails, state } = announcement
  const params = { announcementId: id }
  const preview = useQuery({ ...query(previewAnnouncement, { params }), enabled: open })
  const publish = useSend(publishAnnouncement, [listAnnouncements, previewAnnouncement, getSite])
  const test = useSend(testAnnouncement, [])
  const [failure, setFailure] = useState<string>()
  const isDraft = state === 'draft'
  const customers = preview.data?.customers ?? 0
  const cannotSend = emails && (preview.data?.from === null || (customers === 0 && !onSite))
  const send = () =>
    publish.mutate(
      { params, body: { version, expectedCustomers: customers } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({
            title: 'Published',
            description: emails ? 'The emails are being sent.' : `The site shows “${title}”.`,
          })
        },
        onError: (error) => {
          setFailure(messageOf(error))
          if (error instanceof ApiError && error.code === 'customers_changed') void preview.refetch()
        },
      },
    )
  const sendTest = () =>
    test.mutate(
      { params },
      {
        onSuccess: ({ recipient }) =>
          toast({ title: 'Test email queued', description: `It will be sent to ${recipient}.` }),
        onError: (error) => toast({ title: 'Test Failed', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={isDraft ? 'Review Announcement' : title}
      description={`For: ${audienceNames[announcement.audience]}`}
      size="wide"
      returnTo={returnTo}
      footer={
        <>
          {failure && (
            <Note tone="bad" role="alert">
              {failure}
            </Note>
          )}
          <Button variant="line" onClick={() => setOpen(false)}>
            {isDraft ? 'Keep as Draft' : 'Close'}
          </Button>
          <May needs="announcements.edit">
            {emails && (
              <Button variant="soft" pending={test.isPending} disabled={preview.data?.from === null} onClick={sendTest}>
                Send Test to Me
              </Button>
            )}
            {isDraft && (
              <>
                <Button variant="soft" onClick={onEdit}>
                  Edit
                </Button>
                <Button pending={publish.isPending} disabled={!preview.data || cannotSend} onClick={send}>
                  {emails && customers > 0 ? `Publish and Email ${customers.toLocaleString('en-US')}` : 'Publish'}
                </Button>
              </>
            )}
          </May>
        </>
      }
    >
      <div className="grid gap-5">
        {onSite && (
          <section aria-labelledby="announced-title">
            <h3 id="announced-title" className="mb-2 text-base">
              On the site
            </h3>
            <Note>
              <b>{title}</b> {summary} {linkLabel && <span className="link">{linkLabel}</span>}
            </Note>
          </section>
        )}
        {emails && preview.error && !preview.data && (
          <Note
            tone="bad"
            role="alert"
            action={
              <Button variant="line" size="sm" pending={preview.isFetching} onClick={() => void preview.refetch()}>
                Retry
              </Button>
            }
          >
            {messageOf(preview.error)}
          </Note>
        )}
        {emails && !preview.data && !preview.error && <Skeleton className="h-60" />}
        {emails && preview.data && (
          <section aria-labelledby="emailed-title" className="grid gap-3">
            <h3 id="emailed-title" className="text-base">
              By email
            </h3>
            {isDraft && <RecipientsNote announcement={announcement} preview={preview.data} />}
            <p className="wrap-anywhere">
              <b>Subject:</b> {preview.data.subject}
            </p>
            <MailPreview
              src={`${getAnnouncementDocument.path.replace(':announcementId', String(id))}?version=${version}`}
              text={preview.data.text}
            />
          </section>
        )}
      </div>
    </Dialog>
  )
}
