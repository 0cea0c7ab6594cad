import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellRing, Clock, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { clockTime, dateNames, localDate } from '#kit/clock.ts'
import { ProgramScene } from '#web/brand/program-scene.tsx'
import { announce } from '#web/ui/announce.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import type { GuideProgram } from '../rules.ts'
import { GuideLogo } from './guide-logo.tsx'
import { searchQuery } from './guide-query.ts'
import type { GuideSearch } from './guide-search.ts'
import type { Marks } from './use-marks.ts'

interface Props {
  q: string
  /** The channels of the chosen category. */
  channels: readonly Channel[]
  /** The current time, in milliseconds. */
  at: number
  search: GuideSearch
  marks: Marks
  onOpen: (channel: Channel, program: GuideProgram) => void
}

/** The results of a search: channels whose name matches, then programs by time. */
export function GuideResults({ q, channels, at, search, marks, onOpen }: Props) {
  const zone = useTimeZone()
  const { data, error, isFetching, refetch } = useQuery(searchQuery(q, at))
  const words = q.toLowerCase()
  const named = channels.filter(({ name }) => name.toLowerCase().includes(words))
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const found = (data ?? []).filter(({ channelId, endsAt }) => byId.has(channelId) && Date.parse(endsAt) > at)
  const nothing = `No programs match "${q}"`
  const programs = `${found.length} ${found.length === 1 ? 'program' : 'programs'} for “${q}”`
  const summary = data && (named.length + found.length === 0 ? nothing : programs)
  // Once for each search, not again when a program ends.
  const announced = useRef('')
  useEffect(() => {
    if (!summary || announced.current === q) return
    announced.current = q
    announce(summary)
  }, [summary, q])
  const clear = (
    <ButtonLink to="/guide" search={{ ...search, q: undefined }} variant="ghost" size="sm">
      <X size={16} />
      Clear Search
    </ButtonLink>
  )
  if (!data && error)
    return (
      <ErrorState
        title="The search did not work"
        message={messageOf(error)}
        pending={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <Skeleton className="h-40" />
  if (named.length + found.length === 0)
    return (
      <EmptyState
        title={nothing}
        action={
          <ButtonLink to="/guide" search={{ ...search, q: undefined }} variant="line">
            Clear Search
          </ButtonLink>
        }
      >
        Check the spelling, or try a shorter word.
      </EmptyState>
    )
  return (
    <div>
      <div className="guide-results-head">
        <h2>{programs}</h2>
        {clear}
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
                      <GuideLogo logo={channel.logo} />
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
            {found.map((showing) => {
              const channel = byId.get(showing.channelId)!
              const isOn = Date.parse(showing.startsAt) <= at
              const day = localDate(showing.startsAt, zone)
              return (
                <li key={`${showing.channelId} ${showing.startsAt}`}>
                  <button
                    type="button"
                    className="guide-entry guide-result"
                    aria-haspopup="dialog"
                    onClick={() => onOpen(channel, showing)}
                  >
                    <ProgramScene title={showing.title} detail={showing.detail} category={channel.category} />
                    <span>
                      <b>{showing.title}</b>
                      <span>{[showing.isNew && 'New', showing.detail].filter(Boolean).join(' · ')}</span>
                      <span className="num">
                        {channel.name} ·{' '}
                        {isOn
                          ? `On now until ${clockTime(showing.endsAt, zone)}`
                          : `${day === localDate(at, zone) ? 'Today' : dateNames(day).long}, ${clockTime(showing.startsAt, zone)}`}
                      </span>
                    </span>
                    {isOn ? (
                      <Badge className="guide-result-now">On now</Badge>
                    ) : marks.markOf(showing).reminder ? (
                      <Badge variant="secondary">
                        <BellRing size={13} aria-hidden="true" />
                        Reminder set
                      </Badge>
                    ) : (
                      <Badge>
                        <Clock size={13} aria-hidden="true" />
                        Later
                      </Badge>
                    )}
                  </button>
                </li>
              )
            })}
          </ul>
        </section>
      )}
    </div>
  )
}
