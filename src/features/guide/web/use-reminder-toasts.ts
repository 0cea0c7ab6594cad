import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { shortClockTime } from '#kit/clock.ts'
import { query } from '#web/data.ts'
import { useNow } from '#web/ui/time/use-now.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { listProgramMarks } from '../contract.ts'
import { reminderMinutes } from '../rules.ts'

/** Shows a toast with a Watch button for each program with a reminder, once, within the five minutes before it starts. */
export function useReminderToasts(): void {
  const { data: marks } = useQuery(query(listProgramMarks))
  const now = useNow()?.getTime()
  const zone = useTimeZone()
  const navigate = useNavigate()
  const shown = useRef(new Set<string>())
  useEffect(() => {
    if (now === undefined) return
    for (const { channelId, channelName, startsAt, title, reminder } of marks ?? []) {
      const start = Date.parse(startsAt)
      const key = `${channelId} ${startsAt}`
      if (!reminder || start < now || start > now + reminderMinutes * 60_000 || shown.current.has(key)) continue
      shown.current.add(key)
      toast({
        title: `${title} starts at ${shortClockTime(startsAt, zone)}`,
        description: channelName,
        action: {
          label: 'Watch',
          onPress: () =>
            void navigate({
              to: '/watch/{-$channelId}' as never,
              params: { channelId: String(channelId) } as never,
              state: { play: true } as never,
            }),
        },
      })
    }
  }, [marks, now, zone, navigate])
}
