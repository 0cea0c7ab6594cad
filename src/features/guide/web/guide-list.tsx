import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import type { Channel } from '#features/catalog/contract.ts'
import { shortClockTime } from '#kit/clock.ts'
import { buttonClass } from '#web/ui/button/button-class.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { type GuideProgram, type NowNext, nowAndNext, programOf } from '../rules.ts'
import { channelsPerPage, guideDay, listTimes } from '../view-rules.ts'
import { GuideCard } from './guide-card.tsx'
import { guideQuery, listHours } from './guide-query.ts'
import { type GuideSearch, listedTime, matchMissingParameters } from './guide-search.ts'
import type { Favorites } from './use-favorites.ts'
import type { Marks } from './use-marks.ts'
import type { NowNextOfChannels } from './use-now-next.ts'

interface Props {
  /** Favorites first. */
  channels: readonly Channel[]
  /** How many of `channels` are favorites. */
  favoriteCount: number
  /** What is on now. */
  guide: NowNextOfChannels
  day: string
  search: GuideSearch
  favorites: Favorites
  marks: Marks
  onOpen: (channel: Channel, program: GuideProgram) => void
}

/** The guide as a list of channel cards with what is on at a time and what follows. The server renders it, so it works without scripts. */
export function GuideList({ channels, favoriteCount, guide, day, search, favorites, marks, onOpen }: Props) {
  const zone = useTimeZone()
  const shown = channels.slice(0, search.show ?? channelsPerPage)
  const time = listedTime(search, day, guide.at, zone)
  const timed = useTimedPrograms(shown, time)
  const programsOf = (id: number): NowNext | undefined => (time === undefined ? guide.channels.get(id) : timed?.get(id))
  const isToday = day === guideDay(guide.at, zone)
  const cards = (list: readonly Channel[]) => (
    <ul className="guide-cards">
      {list.map((channel) => (
        <GuideCard
          key={channel.id}
          channel={channel}
          programs={programsOf(channel.id)}
          isLoading={time !== undefined && !timed}
          isNow={time === undefined}
          at={guide.at}
          favorites={favorites}
          marks={marks}
          onOpen={onOpen}
        />
      ))}
    </ul>
  )
  return (
    <div>
      <nav className="guide-times guide-pills" aria-label="Time">
        {isToday && (
          <Link
            to={'/guide' as never}
            search={{ ...search, at: undefined } as never}
            replace
            resetScroll={false}
            className="guide-pill"
            activeOptions={matchMissingParameters}
            aria-current={time === undefined ? 'time' : undefined}
          >
            Now
          </Link>
        )}
        {listTimes(day, guide.at, zone).map((at) => (
          <Link
            key={at}
            to={'/guide' as never}
            search={{ ...search, at: new Date(at).toISOString() } as never}
            replace
            resetScroll={false}
            className="guide-pill num"
            activeOptions={matchMissingParameters}
            aria-current={time === at ? 'time' : undefined}
          >
            {shortClockTime(at, zone)}
          </Link>
        ))}
      </nav>
      {favoriteCount > 0 && (
        <section>
          <h2 className="guide-section">
            <Star size={16} aria-hidden="true" /> Favorites
          </h2>
          {cards(shown.slice(0, favoriteCount))}
        </section>
      )}
      {shown.length > favoriteCount && (
        <section>
          <h2 className="guide-section">{favoriteCount > 0 ? 'All channels' : 'Channels'}</h2>
          {cards(shown.slice(favoriteCount))}
        </section>
      )}
      {shown.length < channels.length && (
        <Link
          to={'/guide' as never}
          search={{ ...search, show: shown.length + channelsPerPage } as never}
          replace
          resetScroll={false}
          className={buttonClass({ variant: 'line' })}
        >
          Show More Channels
        </Link>
      )}
    </div>
  )
}

/** Returns what is on at a time and what follows, by channel; undefined until the first channels are loaded. */
function useTimedPrograms(channels: readonly Channel[], time: number | undefined): Map<number, NowNext> | undefined {
  const pages = Array.from({ length: Math.ceil(channels.length / channelsPerPage) }, (_, index) =>
    channels.slice(index * channelsPerPage, (index + 1) * channelsPerPage).map(({ id }) => id),
  )
  const { data } = useQuery({
    queryKey: ['guide list', time, pages.map(([first]) => first)],
    queryFn: ({ client }) => Promise.all(pages.map((ids) => client.fetchQuery(guideQuery(ids, time ?? 0, listHours)))),
    enabled: time !== undefined,
    placeholderData: (before) => before,
  })
  // Until the query has run, the list shows what the server loaded: the first page of channels.
  const first = useQueryClient().getQueryData(guideQuery(pages[0] ?? [], time ?? 0, listHours).queryKey)
  const chunks = data ?? (first ? [first] : undefined)
  return (
    chunks &&
    new Map(
      chunks.flatMap(({ from, rows }) =>
        rows.map(([id, programs]): [number, NowNext] => [
          id,
          nowAndNext(
            programs.map((program) => programOf(Date.parse(from), program)),
            time ?? 0,
          ),
        ]),
      ),
    )
  )
}
