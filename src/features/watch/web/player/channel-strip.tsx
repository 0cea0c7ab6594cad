import { useEffect, useRef } from 'react'
import { elapsedFraction, type NowNext } from '#features/guide/rules.ts'
import { shortClockTime } from '#kit/clock.ts'
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import { ProgramScene } from '#web/brand/program-scene.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import type { Watch } from '../../contract.ts'
import { useDismissableLayer } from './use-dismissable-layer.ts'

interface Props {
  channels: Watch['channels']
  current: number | undefined
  programs: ReadonlyMap<number, NowNext> | undefined
  at: number
  onChoose: (id: number) => void
  onClose: () => void
}

/** A strip of channels over the video. Arrow keys move the focus, Enter plays a channel, and Escape or a press elsewhere closes the strip. */
export function ChannelStrip({ channels, current, programs, at, onChoose, onClose }: Props) {
  const zone = useTimeZone()
  const list = useRef<HTMLUListElement>(null)
  const strip = useRef<HTMLElement>(null)
  useDismissableLayer(strip, onClose)
  useEffect(() => {
    const start = list.current?.querySelector<HTMLElement>('[aria-current]') ?? list.current?.querySelector('button')
    start?.focus()
  }, [])
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (event.key === 'Escape') onClose()
    else if (by !== 0) {
      const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
      buttons.at((buttons.indexOf(document.activeElement as HTMLButtonElement) + by) % buttons.length)?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <section className="player-strip" aria-label="Channel strip" data-menu ref={strip}>
      <h3>Channels</h3>
      <ul ref={list} onKeyDown={onKeyDown}>
        {channels.map(({ id, name, number, logo, category }) => {
          const { now, next } = programs?.get(id) ?? {}
          return (
            <li key={id}>
              <button type="button" aria-current={id === current || undefined} onClick={() => onChoose(id)}>
                {now ? (
                  <ProgramScene title={now.title} detail={now.detail} category={category} />
                ) : (
                  <ChannelLogo logo={logo} />
                )}
                <span>
                  <span className="num">{[number, name].filter(Boolean).join(' ')}</span>
                  {now && <b>{now.title}</b>}
                  {next && (
                    <span className="num">
                      {shortClockTime(next.startsAt, zone)} {next.title}
                    </span>
                  )}
                  {now && (
                    <progress className="program-over" aria-hidden="true" max={1} value={elapsedFraction(now, at)} />
                  )}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
