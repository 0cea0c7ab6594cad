import { Link } from '@tanstack/react-router'
import { BellRing, History } from 'lucide-react'
import { use, useRef } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import { clockTime, shortClockTime } from '#kit/clock.ts'
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import { ProgramScene } from '#web/brand/program-scene.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { elapsedFraction, type GuideProgram, type NowNext, timeLeft } from '../rules.ts'
import { useIsInArchive } from './archives.ts'
import { ChannelNumbers } from './channel-numbers.ts'
import { FavoriteButton } from './favorite-button.tsx'
import { ListingsButton } from './listings-button.tsx'
import type { Favorites } from './use-favorites.ts'
import type { Marks } from './use-marks.ts'

interface Props {
  channel: Channel
  programs: NowNext | undefined
  isLoading: boolean
  /** Whether the list shows what is on now. */
  isNow: boolean
  /** The current time, in milliseconds. */
  at: number
  favorites: Favorites
  marks: Marks
  onOpen: (channel: Channel, program: GuideProgram) => void
}

/** A channel in the list, with what is on at a time and what follows. */
export function GuideCard({ channel, programs, isLoading, isNow, at, favorites, marks, onOpen }: Props) {
  const zone = useTimeZone()
  const number = use(ChannelNumbers).get(channel.id)
  const { now, next } = programs ?? {}
  const isOn = now && Date.parse(now.startsAt) <= at && Date.parse(now.endsAt) > at
  const isInArchive = useIsInArchive()
  // Whether the entry takes over the focus of the button that asked for the listings.
  const takesFocus = useRef(false)
  const onFound = () => {
    takesFocus.current = true
  }
  const isArchived = (program: GuideProgram) => Date.parse(program.endsAt) <= at && isInArchive(channel.id, program, at)
  return (
    <li className="guide-card">
      <div className="guide-card-head">
        <h3>
          <Link to={'/watch/{-$channelId}' as never} params={{ channelId: String(channel.id) } as never}>
            <ChannelLogo logo={channel.logo} />
            {channel.name}
          </Link>
        </h3>
        {number !== undefined && <span className="num">{number}</span>}
        <FavoriteButton channel={channel} favorites={favorites} />
      </div>
      {now && (
        <button
          type="button"
          className="guide-entry guide-pictured"
          aria-haspopup="dialog"
          ref={(entry) => {
            if (!entry || !takesFocus.current) return
            takesFocus.current = false
            entry.focus()
          }}
          onClick={() => onOpen(channel, now)}
        >
          <ProgramScene title={now.title} detail={now.detail} category={channel.category} />
          <b>{now.title}</b>
          <span>
            <span className="sr-only">{isOn ? 'On now. ' : `${clockTime(now.startsAt, zone)}. `}</span>
            {[now.isNew && 'New', now.detail].filter(Boolean).join(' · ')}
          </span>
          {isOn && <progress className="program-over" aria-hidden="true" max={1} value={elapsedFraction(now, at)} />}
          <span className="num">
            {isOn
              ? timeLeft(now.endsAt, at)
              : `${shortClockTime(now.startsAt, zone)} – ${shortClockTime(now.endsAt, zone)}`}
            {isArchived(now) ? ' · Catch-up' : Date.parse(now.endsAt) <= at && ' · Ended'}
          </span>
        </button>
      )}
      {!now &&
        (programs || isLoading || !isNow ? (
          <p className="guide-none">{isLoading ? 'Loading' : next ? 'No information' : 'No listings'}</p>
        ) : (
          <ListingsButton channel={channel} onFound={onFound} />
        ))}
      {next && (
        <button
          type="button"
          className="guide-entry guide-next"
          aria-haspopup="dialog"
          onClick={() => onOpen(channel, next)}
        >
          <span className="num">
            <span className="sr-only">Next at </span>
            {shortClockTime(next.startsAt, zone)}
          </span>
          <span className="guide-title">{next.title}</span>
          {isArchived(next) && (
            <>
              <History size={18} aria-hidden="true" />
              <span className="sr-only">Catch-up</span>
            </>
          )}
          {marks.markOf({ channelId: channel.id, startsAt: next.startsAt }).reminder && (
            <>
              <BellRing size={18} aria-hidden="true" />
              <span className="sr-only">Reminder set</span>
            </>
          )}
        </button>
      )}
    </li>
  )
}
