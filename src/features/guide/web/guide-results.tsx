import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useContext, useEffect, useRef } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import { announce } from '#web/ui/announce.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import type { Showing } from '../contract.ts'
import type { GuideProgram } from '../rules.ts'
import { dayRange, type GuideDay } from '../view-rules.ts'
import { Archives, longestArchive, useIsInArchive } from './archives.ts'
import { searchQueries } from './guide-query.ts'
import { GuideResult } from './guide-result.tsx'
import type { GuideSearch } from './guide-search.ts'
import type { Marks } from './use-marks.ts'

interface Props {
  /** The channels of the chosen category. */
  channels: readonly Channel[]
  /** The day that is searched; undefined to search all days. */
  day: GuideDay | undefined
  /** The current time, in milliseconds. */
  at: number
  search: GuideSearch
  marks: Marks
  onOpen: (channel: Channel, program: GuideProgram) => void
}

/** The results of a search: channels whose name matches, then programs by time, then ended programs in the archive, the latest first. */
export function GuideResults({ channels, day, at, search, marks, onOpen }: Props) {
  const { q = '' } = search
  const { isPending, error, isFetching, refetch, upcoming, ended } = useResults(search, day, at)
  const words = q.toLowerCase()
  const named = channels.filter(({ name }) => name.toLowerCase().includes(words))
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const found = [...upcoming, ...ended].filter(({ channelId }) => byId.has(channelId))
  const dayWords = day === undefined ? '' : day.isToday ? ' today' : ` on ${day.long}`
  const nothing = `No programs match "${q}"${dayWords}`
  const programs = `${found.length} ${found.length === 1 ? 'program' : 'programs'} for “${q}”${dayWords}`
  const summary = !isPending && !error && (named.length + found.length === 0 ? nothing : programs)
  // The summary is announced once for each search, not again when a program ends.
  const announced = useRef('')
  const searched = `${q} ${search.category} ${day?.day}`
  useEffect(() => {
    if (!summary || announced.current === searched) return
    announced.current = searched
    announce(summary)
  }, [summary, searched])
  const clear = (
    <ButtonLink to="/guide" search={{ ...search, q: undefined }} variant="ghost" size="sm">
      <X size={16} />
      Clear Search
    </ButtonLink>
  )
  const allDays = day && (
    <ButtonLink to="/guide" search={{ ...search, day: undefined }} variant="line" size="sm">
      Search All Days
    </ButtonLink>
  )
  if (error)
    return (
      <ErrorState title="The search did not work" message={messageOf(error)} pending={isFetching} onRetry={refetch} />
    )
  // The search of the archive may answer later than the other.
  if (isPending && named.length + found.length === 0) return <Skeleton className="h-40" />
  if (named.length + found.length === 0)
    return (
      <EmptyState
        title={nothing}
        action={
          <span className="flex flex-wrap justify-center gap-2.5">
            {allDays}
            <ButtonLink to="/guide" search={{ ...search, q: undefined }} variant="line">
              Clear Search
            </ButtonLink>
          </span>
        }
      >
        Check the spelling, or try a shorter word{day && ' or another day'}.
      </EmptyState>
    )
  return (
    <div>
      <div className="guide-results-head">
        <h2>{programs}</h2>
        <span className="flex flex-wrap justify-end gap-2.5">
          {allDays}
          {clear}
        </span>
      </div>
      {named.length > 0 && (
        <section>
          <h2 className="guide-section">Channels</h2>
          <ul className="guide-cards">
            {named.map((channel) => (
              <li key={channel.id} className="guide-card">
                <div className="guide-card-head">
                  <h3>
                    <Link to={'/watch/{-$channelId}' as never} params={{ channelId: String(channel.id) } as never}>
                      <ChannelLogo logo={channel.logo} />
                      {channel.name}
                    </Link>
                  </h3>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {found.length > 0 && (
        <section>
          <h2 className="guide-section">Programs</h2>
          <ul className="guide-results">
            {found.map((showing) => (
              <li key={keyOf(showing)}>
                <GuideResult
                  showing={showing}
                  channel={byId.get(showing.channelId)!}
                  at={at}
                  hasReminder={marks.markOf(showing).reminder}
                  onOpen={onOpen}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const keyOf = ({ channelId, startsAt }: Showing) => `${channelId} ${startsAt}`

/** Returns what a search finds: programs that have not ended, in order of time, and ended programs that can be watched, the latest first. */
function useResults(search: GuideSearch, day: GuideDay | undefined, at: number) {
  const zone = useTimeZone()
  const isInArchive = useIsInArchive()
  const hasArchive = longestArchive(useContext(Archives)) > 0
  const queries = searchQueries(search, day && dayRange(day.day, zone), at)
  const searchesEnded = queries.ended.enabled && hasArchive
  const current = useQuery(queries.current)
  const archived = useQuery({ ...queries.ended, enabled: searchesEnded })
  const results = [queries.current.enabled && current, searchesEnded && archived].filter((result) => result !== false)
  const isOver = ({ endsAt }: Showing) => Date.parse(endsAt) <= at
  // Programs that have ended since the search are in both results.
  const ended = new Map(
    [...(current.data ?? []), ...(archived.data ?? [])].filter(isOver).map((showing) => [keyOf(showing), showing]),
  )
  return {
    isPending: results.some(({ data }) => !data),
    error: results.find(({ data, error }) => !data && error)?.error,
    isFetching: results.some(({ isFetching }) => isFetching),
    refetch: () => {
      for (const { data, refetch } of results) if (!data) void refetch()
    },
    upcoming: (current.data ?? []).filter((showing) => !isOver(showing)),
    ended: [...ended.values()]
      .filter((showing) => isInArchive(showing.channelId, showing, at))
      .toSorted((a, b) => Date.parse(b.startsAt) - Date.parse(a.startsAt)),
  }
}
