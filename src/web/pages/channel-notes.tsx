import { useEffect } from 'react'
import type { ChannelNote } from '#features/catalog/web/channels/channel-card.tsx'
import { useNowNext } from '#features/guide/web/use-now-next.ts'
import { shortClockTime } from '#kit/clock.ts'
import { useTimeZone } from '../ui/time/use-time-zone.ts'

/** Passes on what is on each channel, when it is known and whenever it changes. Renders nothing; load it lazily, because only members need it. */
export function ChannelNotes({
  onChange,
}: {
  onChange: (notes: ReadonlyMap<number, ChannelNote> | undefined) => void
}) {
  const guide = useNowNext()
  const zone = useTimeZone()
  useEffect(() => {
    if (!guide || guide.channels.size === 0) return onChange(undefined)
    const notes = [...guide.channels].map(([id, { now, next }]): [number, ChannelNote] => [
      id,
      { now: now?.title, next: next && `${shortClockTime(next.startsAt, zone)} ${next.title}` },
    ])
    onChange(new Map(notes))
  }, [guide, zone, onChange])
  return null
}
