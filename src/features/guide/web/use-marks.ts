import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { shortClockTime } from '#kit/clock.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { listProgramMarks, markProgram, type ProgramMark } from '../contract.ts'

type Marked = Pick<ProgramMark, 'onWatchlist' | 'reminder'>
type MarkedProgram = { channelId: number; startsAt: string; title: string }
const unmarked: Marked = { onWatchlist: false, reminder: false }
const keyOf = ({ channelId, startsAt }: { channelId: number; startsAt: string }) => `${channelId} ${startsAt}`

/** Returns the customer's program marks, and functions that change them. */
export function useMarks() {
  const { data } = useQuery(query(listProgramMarks))
  const send = useSend(markProgram, [listProgramMarks])
  const zone = useTimeZone()
  const marks = new Map((data ?? []).map((each) => [keyOf(each), each]))
  const markOf = (program: { channelId: number; startsAt: string }): Marked => marks.get(keyOf(program)) ?? unmarked
  const set = ({ channelId, startsAt, title }: MarkedProgram, changes: Partial<Marked>, announcement: string) => {
    const { onWatchlist, reminder } = { ...markOf({ channelId, startsAt }), ...changes }
    send.mutate(
      { params: { channelId, startsAt }, body: { onWatchlist, reminder } },
      {
        onSuccess: () => announce(announcement),
        onError: (error) =>
          toast({ title: `${title} not changed`, description: messageOf(error), variant: 'destructive' }),
      },
    )
  }
  return {
    markOf,
    isPending: send.isPending,
    toggleReminder: (program: MarkedProgram) => {
      const { reminder } = markOf(program)
      const time = shortClockTime(program.startsAt, zone)
      set(
        program,
        { reminder: !reminder },
        reminder ? `Reminder for ${program.title} removed` : `Reminder set for ${program.title}, ${time}`,
      )
    },
    toggleWatchlist: (program: MarkedProgram) => {
      const { onWatchlist } = markOf(program)
      set(
        program,
        { onWatchlist: !onWatchlist },
        onWatchlist ? 'Removed from your watchlist' : 'Added to your watchlist',
      )
    },
  }
}
export type Marks = ReturnType<typeof useMarks>
