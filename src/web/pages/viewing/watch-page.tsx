import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { isInArchive } from '#features/guide/archive-rules.ts'
import { useNowNext } from '#features/guide/web/use-now-next.ts'
import { useRecordPlayer } from '#features/self-check/web/player-events.ts'
import { getWatch, listPlays } from '#features/watch/contract.ts'
import { ChannelList } from '#features/watch/web/channel-list.tsx'
import { ChannelStrip } from '#features/watch/web/player/channel-strip.tsx'
import { missingCodec } from '#features/watch/web/player/codec-support.ts'
import { PlayerMenus } from '#features/watch/web/player/player-menus.tsx'
import { useArrival, useEndOfRecording } from '#features/watch/web/player/use-arrival.ts'
import { useCaptions } from '#features/watch/web/player/use-captions.ts'
import { useChosenChannel } from '#features/watch/web/player/use-chosen-channel.ts'
import { useCodecCheck } from '#features/watch/web/player/use-codec-check.ts'
import { useKeptChoices } from '#features/watch/web/player/use-kept-choices.ts'
import { useMediaSession } from '#features/watch/web/player/use-media-session.ts'
import { useNumberEntry } from '#features/watch/web/player/use-number-entry.ts'
import { usePlayerKeysDialog } from '#features/watch/web/player/use-player-keys-dialog.tsx'
import { useProgramMoves } from '#features/watch/web/player/use-program-moves.ts'
import { useTimeline } from '#features/watch/web/player/use-timeline.ts'
import { Player } from '#features/watch/web/player.tsx'
import { videoActions } from '#features/watch/web/player-actions.ts'
import { usePlay, type Wanted } from '#features/watch/web/use-play.ts'
import { usePlayerKeys } from '#features/watch/web/use-player-keys.ts'
import { useVideo } from '#features/watch/web/use-video.ts'
import watchSheet from '#features/watch/web/watch.css?url'
import { listWatchlist } from '#features/watchlist/contract.ts'
import { useWatchlistToggle } from '#features/watchlist/web/use-watchlist-toggle.ts'
import { query } from '../../data.ts'
import { announce } from '../../ui/announce.ts'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ViewerBar } from './viewer-bar.tsx'
import { WatchAbout } from './watch-about.tsx'

/** After quick channel changes, the last channel is opened once no change followed for this time. */
const zapDelayMs = 300
/** /watch: the player with the channels beside it. */
export function WatchPage() {
  const { data: watch, refetch } = useSuspenseQuery(query(getWatch))
  const { data: watchlist = [] } = useQuery(query(listWatchlist))
  const { data: plays = [] } = useQuery(query(listPlays))
  const { channelId } = useParams({ strict: false }) as { channelId?: string }
  const { from: asked } = useSearch({ strict: false }) as { from?: unknown }
  const from = typeof asked === 'string' ? asked : undefined
  const navigate = useNavigate()
  const video = useRef<HTMLVideoElement>(null)
  const container = useRef<HTMLElement>(null)
  const zapTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { singleKeys, showKeys, keysDialog } = usePlayerKeysDialog()
  const [showsStrip, setShowsStrip] = useState(false)
  const { state, open, seek, end, bitrate, choices, setAudio, setLevel } = usePlay(video)
  const picture = useVideo(video)
  const captions = useCaptions(video)
  const kept = useKeptChoices(choices, { setAudio, setLevel })
  const guide = useNowNext()

  const favorites = new Set(watchlist.map(({ id }) => id))
  const { playable, recent, current, last, remember } = useChosenChannel(watch.channels, favorites, channelId)
  const program = current && guide?.channels.get(current.id)
  const recording = state.phase === 'playing' ? state.recording : null
  const title = recording?.title ?? program?.now?.title
  const hours = current?.archiveHours ?? 0
  const watchlisted = useWatchlistToggle(current)

  const timeline = useTimeline(video, state, program?.now, hours > 0)
  const { goLive, onMove, moveBy } = useProgramMoves({ video, state, timeline, channelId: current?.id, open, seek })
  const missing = current && missingCodec(current)
  useCodecCheck(current, state, { end, refetch })

  const start = (wanted: Wanted) => (missing ? end('codec', null) : void open(wanted))
  const play = (take?: string) => current && start({ channelId: current.id, from, take })
  useArrival(current?.id, from, start)
  useEndOfRecording(video, recording?.to, goLive)
  useRecordPlayer(
    current?.id,
    state.phase === 'ready' ? undefined : state.phase === 'playing' && picture.isWaiting ? 'buffering' : state.phase,
    state.phase === 'stopped' ? state.stop : undefined,
  )
  const takeBack = (by: string | null) => {
    const others = plays.filter(({ isHere }) => !isHere)
    const theirs = others.find(({ device }) => device === by) ?? others[0]
    play(others.length >= watch.screens ? theirs?.id : undefined)
  }
  const choose = (id: number) => {
    remember(id)
    void navigate({
      to: '/watch/{-$channelId}' as never,
      params: { channelId: String(id) } as never,
      replace: true,
      resetScroll: false,
    })
    clearTimeout(zapTimer.current)
    zapTimer.current = setTimeout(
      () => {
        const next = watch.channels.find((channel) => channel.id === id)
        if (next && missingCodec(next)) end('codec', null)
        else void open({ channelId: id })
      },
      state.phase === 'ready' ? 0 : zapDelayMs,
    )
  }
  const numbers = useNumberEntry(playable, choose)
  const shown = recording ?? (program?.now && { from: program.now.startsAt, to: program.now.endsAt })
  const hasStart =
    shown && isInArchive({ startsAt: shown.from, endsAt: shown.to }, hours, guide?.at ?? Date.parse(shown.from))
  const fromStart =
    hasStart && current
      ? () => (recording ? onMove(Date.parse(recording.from)) : start({ channelId: current.id, from: shown.from }))
      : undefined
  const actions = {
    ...videoActions({ video, container }),
    goLive,
    moveBy,
    fromStart,
    step: (by: 1 | -1) => {
      const at = playable.findIndex(({ id }) => id === current?.id)
      const next = playable.at((at + by) % playable.length)
      if (next) choose(next.id)
    },
    showKeys,
    toggleCaptions: captions.tracks.length > 0 ? captions.toggle : undefined,
    nextAudio:
      (choices?.audio.length ?? 0) > 1 ? () => announce(`Audio: ${kept.nextAudio() ?? 'unchanged'}`) : undefined,
    onDigit: numbers.onDigit,
    toggleStrip: () => setShowsStrip(!showsStrip),
    openGuide: () => void navigate({ to: '/guide' as never }),
    toggleWatchlist: watchlisted.toggle,
  }
  const onLast = last === undefined ? undefined : () => choose(last)
  usePlayerKeys({ actions, volume: picture.isMuted ? 0 : picture.volume, lastChannel: () => onLast?.(), singleKeys })
  useMediaSession(
    { title: title ?? current?.name ?? '', channel: current?.name ?? '', logo: current?.logo ?? '' },
    actions,
    state.phase === 'playing',
  )

  return (
    <div className="watch">
      <link rel="stylesheet" href={watchSheet} precedence="page" />
      {current ? (
        <>
          <ViewerBar here="/watch" channelId={current.id} />
          <div className="watch-stage">
            <Player
              watch={watch}
              channelId={current.id}
              channelName={current.name}
              programTitle={title}
              state={watch.blocked ? { phase: 'stopped', stop: watch.blocked, by: null } : state}
              video={video}
              container={container}
              picture={picture}
              bitrate={bitrate}
              actions={actions}
              timeline={timeline}
              onMove={onMove}
              missing={missing}
              menus={
                <PlayerMenus
                  choices={kept.choices}
                  captions={captions}
                  onAudio={kept.chooseAudio}
                  onLevel={kept.chooseLevel}
                />
              }
              layers={
                <>
                  {numbers.shown && <output className="player-number num">{numbers.shown}</output>}
                  {showsStrip && (
                    <ChannelStrip
                      channels={playable}
                      current={current.id}
                      programs={guide?.channels}
                      at={guide?.at ?? 0}
                      onChoose={(id) => {
                        setShowsStrip(false)
                        choose(id)
                      }}
                      onClose={() => setShowsStrip(false)}
                    />
                  )}
                </>
              }
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
          <WatchAbout
            channel={current}
            recording={recording}
            program={program}
            at={guide?.at}
            onFromStart={fromStart}
          />
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
      {keysDialog}
    </div>
  )
}
