import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { messageOf } from '#kit/caller.ts'
import { clockRange, dateNames, localDate } from '#kit/clock.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useNow } from '#web/ui/time/use-now.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { listProgramMarks, type ProgramMark, unmarkProgram } from '../contract.ts'

/** The programs that the customer marked in the guide; renders nothing if there are none. */
export function MarkedPrograms() {
  const { data: marks } = useQuery(query(listProgramMarks))
  const send = useSend(unmarkProgram, [listProgramMarks])
  const now = useNow()?.getTime()
  const zone = useTimeZone()
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
          <li key={`${mark.channelId} ${mark.startsAt}`} className="flex items-center gap-4 px-4.5 py-3.5 sm:px-6">
            <div className="min-w-0 flex-1">
              <h3 className="text-base wrap-anywhere">{mark.title}</h3>
              <p className="num text-sm text-fg-2">
                {mark.channelName} · {dateNames(localDate(mark.startsAt, zone)).long},{' '}
                {clockRange(mark.startsAt, mark.endsAt, zone)}
                {now !== undefined && Date.parse(mark.startsAt) <= now && ' · On now'}
              </p>
              {mark.reminder && <p className="text-sm text-fg-2">Reminder set</p>}
            </div>
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
