import { useEffect } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import type { ChannelNote } from '#features/catalog/web/channels/channel-card.tsx'
import { elapsedFraction } from '#features/guide/rules.ts'
import { useNowNext } from '#features/guide/web/use-now-next.ts'
import { clockTime, shortClockTime } from '#kit/clock.ts'
import { ProgramScene } from '../brand/program-scene.tsx'
import { useTimeZone } from '../ui/time/use-time-zone.ts'

interface Props {
  channels: readonly Channel[]
  onChange: (notes: ReadonlyMap<number, ChannelNote> | undefined) => void
}

/**
 * Passes the current and the next program of each channel to `onChange`, as soon as the programs are known and then every minute. Renders only the
 * names of the guide's sources. Load this component lazily, after the page.
 */
export function ChannelNotes({ channels, onChange }: Props) {
  const guide = useNowNext()
  const zone = useTimeZone()
  useEffect(() => {
    if (!guide) return
    const notes = channels.map(({ id, category }): [number, ChannelNote] => {
      const { now, next } = guide.channels.get(id) ?? {}
      return [
        id,
        {
          now: now && {
            title: now.title,
            until: clockTime(now.endsAt, zone),
            over: elapsedFraction(now, guide.at),
            picture: <ProgramScene title={now.title} detail={now.detail} category={category} />,
          },
          next: next && { title: next.title, at: shortClockTime(next.startsAt, zone) },
        },
      ]
    })
    onChange(new Map(notes))
  }, [guide, channels, zone, onChange])
  return guide?.sources.length ? <p className="wrap text-sm text-fg-2">Listings: {guide.sources.join(', ')}</p> : null
}
