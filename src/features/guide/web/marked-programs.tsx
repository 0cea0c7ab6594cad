import { useQuery } from '@tanstack/react-query'
import { History, X } from 'lucide-react'
import { getWatch } from '#features/watch/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { clockRange, dateNames, localDate } from '#kit/clock.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Card } from '#web/ui/card.tsx'
import { useNow } from '#web/ui/time/use-now.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { isInArchive } from '../archive-rules.ts'
import { listProgramMarks, type ProgramMark, unmarkProgram } from '../contract.ts'
import { archivesOf } from './archives.ts'

/** The programs that the customer marked in the guide and can still watch; renders nothing if there are none. */
export function MarkedPrograms() {
  const { data } = useQuery(query(listProgramMarks))
  const now = useNow()?.getTime()
  const isOver = ({ endsAt }: ProgramMark) => now !== undefined && Date.parse(endsAt) <= now
  const { data: watch } = useQuery({ ...query(getWatch), enabled: data?.some(isOver) ?? false })
  const send = useSend(unmarkProgram, [listProgramMarks])
  const zone = useTimeZone()
  const archives = archivesOf(watch)
  const marks = data?.filter((mark) => !isOver(mark) || isInArchive(mark, archives.get(mark.channelId) ?? 0, now!))
  if (!marks || marks.length === 0) return null
  const remove = ({ channelId, startsAt, title }: ProgramMark) =>
    send.mutate(
      { params: { channelId, startsAt } },
      {
        onSuccess: () => announce(`${title} removed`),
        onError: (error) => toast({ title: 'Not removed', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <Card title="Programs" titleId="programs-title" flush className="mt-6">
      <ul className="divide-y divide-line">
        {marks.map((mark) => (
          <li
            key={`${mark.channelId} ${mark.startsAt}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4.5 py-3.5 sm:px-6"
          >
            <div className="min-w-40 flex-1">
              <h3 className="text-base wrap-anywhere">{mark.title}</h3>
              <p className="num text-sm text-fg-2">
                {mark.channelName} · {dateNames(localDate(mark.startsAt, zone)).long},{' '}
                {clockRange(mark.startsAt, mark.endsAt, zone)}
                {isOver(mark) ? ' · Ended' : now !== undefined && Date.parse(mark.startsAt) <= now && ' · On now'}
              </p>
              {mark.reminder && !isOver(mark) && <p className="text-sm text-fg-2">Reminder set</p>}
            </div>
            {isOver(mark) && (
              <ButtonLink
                to="/watch/{-$channelId}"
                params={{ channelId: String(mark.channelId) }}
                search={{ from: mark.startsAt }}
                state={{ play: true } as never}
                variant="line"
                size="sm"
              >
                <History size={16} />
                <span>
                  Catch-up<span className="sr-only"> of {mark.title}</span>
                </span>
              </ButtonLink>
            )}
            <Button variant="ghost" size="sm" onClick={() => remove(mark)}>
              <X size={16} />
              <span>
                Remove<span className="sr-only"> {mark.title}</span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
