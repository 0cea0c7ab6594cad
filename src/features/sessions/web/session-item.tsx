import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { endSession, listSessions, type Session } from '../contract.ts'

export function SessionItem({
  session: { id, device, address, createdAt, lastSeenAt, current },
}: {
  session: Session
}) {
  const { mutate, isPending } = useSend(endSession, [listSessions])
  const end = () =>
    mutate(
      { body: { id } },
      {
        onSuccess: () => {
          // The row with the focused button disappears, so move the focus to the heading.
          const title = document.getElementById('sessions-title')
          if (title) title.tabIndex = -1
          title?.focus()
          toast({ title: 'Logged out', description: `${device} has been logged out.` })
        },
        onError: (error) =>
          toast({ title: 'Failed to log out', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4.5 py-4.5 sm:px-6">
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-2 text-base">
          {device}
          {current && <Badge variant="default">This device</Badge>}
        </h3>
        <p className="text-sm text-fg-2 wrap-anywhere">
          {address && <>{address} · </>}since <DateText value={createdAt} look="minute" />
        </p>
        <p className="text-sm text-fg-2">
          {current ? (
            'Active now'
          ) : (
            <>
              Last seen <RelativeTime value={lastSeenAt} />
            </>
          )}
        </p>
      </div>
      {!current && (
        <Button variant="line" size="sm" pending={isPending} onClick={end}>
          Log Out
          <span className="sr-only">
            {' '}
            {device}, {address}
          </span>
        </Button>
      )}
    </li>
  )
}
