import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  type AdminAnnouncement,
  deleteAnnouncement,
  listAnnouncements,
  withdrawAnnouncement,
} from '#features/announcements/admin-contract.ts'
import { AdminAnnouncementItem, type AnnouncementAction } from '#features/announcements/web/admin-announcement-item.tsx'
import { getSite } from '#features/settings/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { LazyConfirmDialog } from '#web/ui/dialog/lazy-confirm-dialog.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'

const Editor = lazy(() =>
  import('#features/announcements/web/admin-announcement-dialog.tsx').then((module) => ({
    default: module.AdminAnnouncementDialog,
  })),
)
const Review = lazy(() =>
  import('./announcement-review.tsx').then((module) => ({ default: module.AnnouncementReview })),
)

type Opened = { action: AnnouncementAction; announcement: AdminAnnouncement } | { action: 'new' }

/** Drafts and announcements, newest first. */
export function AnnouncementsSection() {
  const { data: announcements, error, refetch, isFetching } = useQuery(query(listAnnouncements))
  const [opened, open] = useOpenDialog<Opened>('new-announcement')
  const [isConfirming, setConfirming] = useState(false)
  const withdraw = useSend(withdrawAnnouncement, [listAnnouncements, getSite])
  const remove = useSend(deleteAnnouncement, [listAnnouncements])
  const subject = opened?.subject
  const act = (action: AnnouncementAction, announcement: AdminAnnouncement, button: HTMLElement) => {
    open({ action, announcement }, button)
    setConfirming(action === 'withdraw' || action === 'delete')
  }
  const outcome = (title: string, description: string) => ({
    onSuccess: () => toast({ title, description }),
    onError: (failure: Error) =>
      toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
    onSettled: () => setConfirming(false),
  })
  const confirm = ({ id, version, title, state }: AdminAnnouncement) => {
    const params = { announcementId: id }
    if (state === 'draft') remove.mutate({ params }, outcome('Draft deleted', `“${title}” is deleted.`))
    else
      withdraw.mutate({ params, body: { version } }, outcome('Withdrawn', `“${title}” is no longer shown or emailed.`))
  }
  const button = (
    <May needs="announcements.edit">
      <Button
        id="new-announcement"
        variant="soft"
        size="sm"
        onClick={({ currentTarget }) => open({ action: 'new' }, currentTarget)}
      >
        New Announcement
      </Button>
    </May>
  )
  if (!announcements)
    return error ? (
      <ErrorState
        title="The announcements could not be loaded"
        message={messageOf(error)}
        pending={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <div role="status">
        <span className="sr-only">Loading…</span>
        <Skeleton className="h-60" />
      </div>
    )
  return (
    <Card title="Drafts and announcements" titleId="announcements-title" aside={announcements.length > 0 && button}>
      {announcements.length === 0 ? (
        <EmptyState title="No announcements yet" action={button}>
          Tell visitors and customers about changes on the site, by email, or both.
        </EmptyState>
      ) : (
        <ul aria-labelledby="announcements-title" className="divide-y divide-line">
          {announcements.map((each) => (
            <AdminAnnouncementItem key={each.id} announcement={each} onAct={act} />
          ))}
        </ul>
      )}
      <Suspense>
        {(subject?.action === 'new' || subject?.action === 'edit') && (
          <Editor
            key={opened!.openCount}
            draft={subject.action === 'edit' ? subject.announcement : undefined}
            onSaved={(announcement) => open({ action: 'review', announcement }, opened!.returnTo() ?? document.body)}
            returnTo={opened!.returnTo}
          />
        )}
        {subject?.action === 'review' && (
          <Review
            key={opened!.openCount}
            announcement={subject.announcement}
            onEdit={() => open({ ...subject, action: 'edit' }, opened!.returnTo() ?? document.body)}
            returnTo={opened!.returnTo}
          />
        )}
      </Suspense>
      {(subject?.action === 'withdraw' || subject?.action === 'delete') && (
        <LazyConfirmDialog
          open={isConfirming}
          onOpenChange={setConfirming}
          title={`${subject.action === 'delete' ? 'Delete' : 'Withdraw'} “${subject.announcement.title}”?`}
          description={
            subject.action === 'delete'
              ? 'The draft will be deleted. It was never published.'
              : 'It will no longer be shown on the site, and emails not yet sent will be canceled.'
          }
          action={subject.action === 'delete' ? 'Delete' : 'Withdraw'}
          pending={withdraw.isPending || remove.isPending}
          returnTo={opened!.returnTo}
          onConfirm={() => confirm(subject.announcement)}
        />
      )}
    </Card>
  )
}
