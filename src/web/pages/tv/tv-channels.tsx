import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { getTv, unpairTv } from '#features/devices/contract.ts'
import { TvLoading } from '#features/devices/web/tv-loading.tsx'
import { useNowNext } from '#features/guide/web/use-now-next.ts'
import { getWatch } from '#features/watch/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, refresh, useSend } from '../../data.ts'
import { Button } from '../../ui/button/button.tsx'
import { moveFocus } from './move-focus.ts'
import { TvPlayer } from './tv-player.tsx'

const TvContinue = lazy(() => import('./tv-continue.tsx').then((module) => ({ default: module.TvContinue })))
/** What plays: a live channel or, with `from`, the recorded program that started at that time. A recording resumes where the viewer stopped. */
type Playing = { channelId: number; from?: string }

/**
 * The recordings to continue and the channels of a paired TV. The arrow keys move the focus, and OK plays the focused one. `name` is the name of the TV; it is
 * empty in a browser that is logged in.
 */
export function TvChannels({ name }: { name: string }) {
  const client = useQueryClient()
  const { data: watch, error, refetch } = useQuery({ ...query(getWatch), refetchInterval: 5 * 60_000 })
  const guide = useNowNext()
  const list = useRef<HTMLElement>(null)
  const [playing, setPlaying] = useState<Playing>()
  /** The selector of the button that was pressed last. */
  const last = useRef<string>(undefined)
  const unpair = useSend(unpairTv, [getTv])
  const checkTv = useCallback(() => void refresh(client, [getTv.id]), [client])
  const channels = watch?.channels.filter(({ blocked }) => blocked === null) ?? []
  const at = channels.findIndex(({ id }) => id === playing?.channelId)
  const hasChannels = channels.length > 0

  // A remote control has no pointer: something always has the focus.
  useEffect(() => {
    if (playing !== undefined) return
    const button =
      (last.current && list.current?.querySelector<HTMLElement>(last.current)) ||
      list.current?.querySelector<HTMLElement>('[data-channel]')
    if (hasChannels) button?.focus()
  }, [playing, hasChannels])
  const play = (next: Playing, button: string) => {
    last.current = button
    setPlaying(next)
  }
  const playChannel = (channelId: number) => play({ channelId }, `[data-channel="${channelId}"]`)

  if (error && !watch)
    return (
      <div className="tv-message" role="alert">
        <h2>The channels could not be loaded</h2>
        <p>{messageOf(error)}</p>
        <Button size="lg" autoFocus onClick={() => void refetch()}>
          Try Again
        </Button>
      </div>
    )
  if (!watch) return <TvLoading label="Loading channels" />
  const current = channels[at]
  if (current)
    return (
      <TvPlayer
        watch={watch}
        channel={current}
        from={playing?.from}
        program={guide?.channels.get(current.id)?.now?.title}
        onStep={(by) => playChannel(channels[(at + by + channels.length) % channels.length]!.id)}
        onClose={() => setPlaying(undefined)}
        onStopped={checkTv}
      />
    )
  return (
    <section className="tv-list" aria-label="Channels" ref={list} onKeyDown={moveFocus}>
      <header>
        <h2>{name || 'Channels'}</h2>
        {name && (
          <Button variant="line" pending={unpair.isPending} onClick={() => unpair.mutate({} as never)}>
            Sign Out
          </Button>
        )}
      </header>
      {unpair.error && <p role="alert">{messageOf(unpair.error)}</p>}
      {hasChannels && (
        <Suspense>
          <TvContinue
            onChoose={({ channelId, startsAt, ref }) =>
              play({ channelId, from: startsAt }, `[data-recording="${ref}"]`)
            }
          />
        </Suspense>
      )}
      {hasChannels ? (
        <ol aria-label="All channels">
          {channels.map((channel) => (
            <li key={channel.id}>
              <button type="button" data-channel={channel.id} onClick={() => playChannel(channel.id)}>
                <span className="num">{channel.number}</span>
                <b>{channel.name}</b>
                <small>{guide?.channels.get(channel.id)?.now?.title}</small>
              </button>
            </li>
          ))}
        </ol>
      ) : (
        <>
          <p>There are no channels to watch here right now.</p>
          <Button size="lg" onClick={() => void refetch()}>
            Try Again
          </Button>
        </>
      )}
    </section>
  )
}
