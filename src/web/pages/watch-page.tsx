import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { categoryName } from '#features/catalog/rules.ts'
import { ProgramNow } from '#features/guide/web/program-now.tsx'
import { useNowNext } from '#features/guide/web/use-now-next.ts'
import { getWatch, listPlays } from '#features/watch/contract.ts'
import { favoritesFirst } from '#features/watch/rules.ts'
import { ChannelList } from '#features/watch/web/channel-list.tsx'
import { Player } from '#features/watch/web/player.tsx'
import { videoActions } from '#features/watch/web/player-actions.ts'
import { usePlay } from '#features/watch/web/use-play.ts'
import { usePlayerKeys } from '#features/watch/web/use-player-keys.ts'
import { useVideo } from '#features/watch/web/use-video.ts'
import watchSheet from '#features/watch/web/watch.css?url'
import { listWatchlist } from '#features/watchlist/contract.ts'
import { WatchlistToggle } from '#features/watchlist/web/watchlist-toggle.tsx'
import { query } from '../data.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useLocalStorage } from '../ui/use-local-storage.ts'
import { ViewerBar } from './viewing/viewer-bar.tsx'

const KeysDialog = lazy(() =>
  import('#features/watch/web/keys-dialog.tsx').then((module) => ({ default: module.KeysDialog })),
)
const recentMost = 10
/** After quick channel changes, the last channel is opened once no change followed for this time. */
const zapDelayMs = 300

/** /watch: the player with the channels beside it. */
export function WatchPage() {
  const { data: watch } = useSuspenseQuery(query(getWatch))
  const { data: watchlist = [] } = useQuery(query(listWatchlist))
  const { data: plays = [] } = useQuery(query(listPlays))
  const { channelId } = useParams({ strict: false }) as { channelId?: string }
  const navigate = useNavigate()
  const video = useRef<HTMLVideoElement>(null)
  const container = useRef<HTMLElement>(null)
  const zapTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [recentText, storeRecent] = useLocalStorage('watch-recent')
  const [keysText, storeKeys] = useLocalStorage('watch-single-keys')
  const [hasOpenedKeys, setOpenedKeys] = useState(false)
  const [showsKeys, setShowsKeys] = useState(false)
  const { state, open, end, bitrate } = usePlay(video)
  const picture = useVideo(video)
  const guide = useNowNext()

  const favorites = new Set(watchlist.map(({ id }) => id))
  const playable = favoritesFirst(
    watch.channels.filter(({ blocked }) => blocked === null),
    favorites,
  )
  const recent = recentText
    .split(',')
    .map(Number)
    .filter((id) => playable.some((channel) => channel.id === id))
  const current =
    watch.channels.find(({ id }) => String(id) === channelId) ??
    playable.find(({ id }) => id === recent[0]) ??
    playable[0] ??
    watch.channels[0]
  const program = current && guide?.channels.get(current.id)
  const last = recent.find((id) => id !== current?.id)

  const play = useCallback((take?: string) => current && void open(current.id, take), [current, open])
  usePlayOnArrival(current?.id, open)
  const takeBack = (by: string | null) => {
    const others = plays.filter(({ isHere }) => !isHere)
    const theirs = others.find(({ device }) => device === by) ?? others[0]
    play(others.length >= watch.screens ? theirs?.id : undefined)
  }
  const choose = (id: number) => {
    storeRecent([id, ...recent.filter((other) => other !== id)].slice(0, recentMost).join(','))
    void navigate({
      to: '/watch/{-$channelId}' as never,
      params: { channelId: String(id) } as never,
      replace: true,
      resetScroll: false,
    })
    clearTimeout(zapTimer.current)
    zapTimer.current = setTimeout(() => void open(id), state.phase === 'ready' ? 0 : zapDelayMs)
  }
  const actions = {
    ...videoActions({ video, container }),
    step: (by: 1 | -1) => {
      const at = playable.findIndex(({ id }) => id === current?.id)
      const next = playable.at((at + by) % playable.length)
      if (next) choose(next.id)
    },
    showKeys: () => {
      setOpenedKeys(true)
      setShowsKeys(true)
    },
  }
  const onLast = last === undefined ? undefined : () => choose(last)
  const singleKeys = keysText !== 'off'
  usePlayerKeys({ actions, volume: picture.isMuted ? 0 : picture.volume, lastChannel: () => onLast?.(), singleKeys })

  return (
    <div className="watch">
      <link rel="stylesheet" href={watchSheet} precedence="page" />
      {current ? (
        <>
          <ViewerBar here="/watch" />
          <div className="watch-stage">
            <Player
              watch={watch}
              channelName={current.name}
              programTitle={program?.now?.title}
              state={watch.blocked ? { phase: 'stopped', stop: watch.blocked, by: null } : state}
              video={video}
              container={container}
              picture={picture}
              bitrate={bitrate}
              actions={actions}
              onPlay={play}
              onTakeBack={takeBack}
              onEnded={end}
            />
            <ChannelList
              channels={watch.channels}
              favorites={favorites}
              recent={recent}
              current={current.id}
              programs={guide?.channels}
              at={guide?.at ?? 0}
              isPlaying={state.phase === 'playing'}
              onChoose={choose}
              onLast={onLast}
            />
          </div>
          <div className="watch-about">
            <h1>{current.name}</h1>
            {program ? <ProgramNow {...program} at={guide!.at} /> : <p>{categoryName(current.category)}</p>}
            <div className="watch-actions">
              <WatchlistToggle channel={current} />
              <ButtonLink to="/dashboard" search={{ tab: 'reports' }} variant="line">
                Report a Problem
              </ButtonLink>
            </div>
          </div>
        </>
      ) : (
        <>
          <h1>Watch</h1>
          <EmptyState
            title="No channels to watch here yet"
            action={<ButtonLink to="/setup">Open Setup Guide</ButtonLink>}
          >
            Use the app on your TV or phone.
          </EmptyState>
        </>
      )}
      <Suspense>
        {hasOpenedKeys && (
          <KeysDialog
            open={showsKeys}
            onOpenChange={setShowsKeys}
            singleKeys={singleKeys}
            onSingleKeys={(on) => storeKeys(on ? '' : 'off')}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Plays at once when a link asked for it, but not when the page is loaded again. */
function usePlayOnArrival(channelId: number | undefined, open: (channelId: number) => Promise<void> | void): void {
  const asksToPlay = useLocation({ select: ({ state }) => (state as { play?: boolean }).play === true })
  const navigate = useNavigate()
  useEffect(() => {
    if (!asksToPlay || channelId === undefined) return
    void navigate({ to: '.', state: {}, replace: true, resetScroll: false } as never)
    void open(channelId)
  }, [asksToPlay, channelId, open, navigate])
}
