import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isInArchive } from '#features/guide/archive-rules.ts'
import { useMarks } from '#features/guide/web/use-marks.ts'
import { useNowNext } from '#features/guide/web/use-now-next.ts'
import { useRecordPlayerEvents } from '#features/self-check/web/player-events.ts'
import { getWatch, listPlays } from '#features/watch/contract.ts'
import type { PlayRequest } from '#features/watch/web/play-calls.ts'
import { findMissingCodec } from '#features/watch/web/player/codec-support.ts'
import { sayBackAtLive } from '#features/watch/web/player/use-back-at-live.ts'
import { useCaptions } from '#features/watch/web/player/use-captions.ts'
import { useChosenChannel } from '#features/watch/web/player/use-chosen-channel.ts'
import { useCodecCheck } from '#features/watch/web/player/use-codec-check.ts'
import { useEndOfRecording } from '#features/watch/web/player/use-end-of-recording.ts'
import { useNumberEntry } from '#features/watch/web/player/use-number-entry.ts'
import { usePlayFromLink } from '#features/watch/web/player/use-play-from-link.ts'
import { useProgramSeek } from '#features/watch/web/player/use-program-seek.ts'
import { useReleaseScreen } from '#features/watch/web/player/use-release-screen.ts'
import { useStoredChoices } from '#features/watch/web/player/use-stored-choices.ts'
import { useTimeline } from '#features/watch/web/player/use-timeline.ts'
import { leaveFullScreen, type PlayerActions, videoActions } from '#features/watch/web/player-actions.ts'
import type { SleepTimer } from '#features/watch/web/sleep/sleep-rules.ts'
import { type PlayState, positionOf, type ReleaseReason, usePlay } from '#features/watch/web/use-play.ts'
import { usePlayerShortcuts } from '#features/watch/web/use-player-shortcuts.ts'
import { useVideo } from '#features/watch/web/use-video.ts'
import { listWatchlist } from '#features/watchlist/contract.ts'
import { useWatchlistToggle } from '#features/watchlist/web/use-watchlist-toggle.ts'
import { query } from '../../data.ts'
import { announce } from '../../ui/announce.ts'
import type { OpenedProgram } from './today-strip.tsx'

/** After quick channel changes, only the last channel is opened: once the channel has not changed for this time. */
const zapDelayMs = 300
const off: SleepTimer = { chosen: 0 }

type Keys = { singleKeys: boolean; showShortcuts: () => void }
/** Returns what /watch plays and shows, and the actions of its buttons and keys. */
export function useWatching({ singleKeys, showShortcuts }: Keys) {
  const { data: watch, refetch } = useSuspenseQuery(query(getWatch))
  const { data: watchlist = [] } = useQuery(query(listWatchlist))
  const { data: plays = [] } = useQuery(query(listPlays))
  const { channelId } = useParams({ strict: false }) as { channelId?: string }
  const { from: asked } = useSearch({ strict: false }) as { from?: unknown }
  const from = typeof asked === 'string' ? asked : undefined
  const client = useQueryClient()
  const navigate = useNavigate()
  const video = useRef<HTMLVideoElement>(null)
  const container = useRef<HTMLElement>(null)
  const zapTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The broadcast time at which to continue after the player released its screen, or after the recording was lost or ended elsewhere. */
  const leftAt = useRef<string>(undefined)
  const [layer, setLayer] = useState<'strip' | 'guide'>()
  const [sleepTimer, setSleepTimer] = useState<SleepTimer>(off)
  const [details, setDetails] = useState<OpenedProgram>()
  const {
    state: played,
    isAutoplayBlocked,
    open,
    seek,
    end,
    releaseScreen,
    bitrate,
    choices,
    setAudio,
    setLevel,
  } = usePlay(video)
  const state: PlayState = watch.blocked ? { phase: 'stopped', reason: watch.blocked, takenBy: null } : played
  const videoState = useVideo(video)
  const captions = useCaptions(video)
  const stored = useStoredChoices(choices, { setAudio, setLevel })
  const guide = useNowNext()
  const marks = useMarks()

  const favorites = new Set(watchlist.map(({ id }) => id))
  const { playable, recent, current, last, remember } = useChosenChannel(watch.channels, favorites, channelId)
  const program = current && guide?.channels.get(current.id)
  const recording = state.phase === 'playing' ? state.recording : null
  const now = program?.now
  const hours = current?.archiveHours ?? 0
  const favorite = useWatchlistToggle(current)

  const timeline = useTimeline(video, state, now, hours > 0)
  const { goLive, onSeek, seekBy } = useProgramSeek({
    ...{ video, state, timeline, open, seek },
    hasArchive: hours > 0,
    channelId: current?.id,
  })
  const missingCodec = current && findMissingCodec(current)
  useCodecCheck(current, state, { end, refetch })

  const start = (wanted: PlayRequest) => (missingCodec ? end('codec', null) : void open(wanted))
  const play = (take?: string) => {
    if (!current) return
    if (state.phase === 'stopped' && state.reason === 'idle' && hours === 0) sayBackAtLive()
    if (state.phase === 'stopped') leftAt.current ??= state.at
    start({ channelId: current.id, from: leftAt.current ?? from, resume: !leftAt.current, take })
  }
  const release = (reason: ReleaseReason) => {
    // A live channel without an archive continues live. A recording that has ended continues with the program after it.
    if (recording) leftAt.current = video.current?.ended ? recording.to : positionOf(video.current, recording)
    else if (timeline?.canSeek && videoState.isPaused) leftAt.current = new Date(timeline.at).toISOString()
    releaseScreen(reason)
  }
  useReleaseScreen(state.phase === 'playing', videoState, watch.unattendedHours, release)
  const endSleepTimer = () => {
    setSleepTimer(off)
    if (state.phase === 'playing' || state.phase === 'opening') release('sleep')
  }
  useEffect(() => {
    if (state.phase === 'playing') leftAt.current = undefined
  }, [state.phase])
  usePlayFromLink(current?.id, from, start)
  useEndOfRecording(video, recording?.to, goLive, sleepTimer.program && endSleepTimer)
  const isPlaying = state.phase === 'playing'
  const needsPress = isPlaying && isAutoplayBlocked && videoState.isPaused
  useRecordPlayerEvents(
    current?.id,
    state.phase === 'ready'
      ? undefined
      : needsPress
        ? 'blocked'
        : isPlaying && videoState.isWaiting
          ? 'buffering'
          : state.phase,
    state.phase === 'stopped' ? state.reason : needsPress ? 'autoplay' : undefined,
  )
  const takeBack = (takenBy: string | null) => {
    const others = plays.filter(({ isHere }) => !isHere)
    const theirs = others.find(({ device }) => device === takenBy) ?? others[0]
    play(others.length >= watch.screens ? theirs?.id : undefined)
  }
  const choose = (id: number) => {
    remember(id)
    setDetails(undefined)
    leftAt.current = undefined
    void navigate({
      to: '/watch/{-$channelId}' as never,
      params: { channelId: String(id) } as never,
      state: { keepsFocus: true } as never,
      replace: true,
      resetScroll: false,
    })
    clearTimeout(zapTimer.current)
    zapTimer.current = setTimeout(
      () => {
        const next = watch.channels.find((channel) => channel.id === id)
        if (next && findMissingCodec(next)) end('codec', null)
        else void open({ channelId: id })
      },
      state.phase === 'ready' ? 0 : zapDelayMs,
    )
  }
  const numbers = useNumberEntry(playable, choose)
  const shown = recording ?? (now && { from: now.startsAt, to: now.endsAt })
  const hasStart =
    shown && isInArchive({ startsAt: shown.from, endsAt: shown.to }, hours, guide?.at ?? Date.parse(shown.from))
  const watchFromStart =
    hasStart && current
      ? () => (recording ? onSeek(Date.parse(recording.from)) : start({ channelId: current.id, from: shown.from }))
      : undefined
  const favoriteChannels = playable.filter(({ id }) => favorites.has(id))
  const nextAt = favoriteChannels.findIndex(({ id }) => id === current?.id) + 1
  const nextFavorite = [...favoriteChannels.slice(nextAt), ...favoriteChannels].find(({ id }) => id !== current?.id)
  const report = () => {
    const observed = { channel: current?.name ?? '', program: (recording ?? now)?.title, state, bitrate }
    void import('#features/watch/web/player/send-player-report.ts').then(({ sendPlayerReport }) =>
      sendPlayerReport(
        client,
        observed,
        () => void navigate({ to: '/dashboard', search: { tab: 'reports' } } as never),
      ),
    )
  }
  const actions: PlayerActions = {
    ...videoActions({ video, container }),
    goLive,
    seekBy,
    watchFromStart,
    changeChannel: (by: 1 | -1) => {
      const at = playable.findIndex(({ id }) => id === current?.id)
      const next = playable.at((at + by) % playable.length)
      if (next) choose(next.id)
    },
    showShortcuts,
    toggleCaptions: captions.tracks.length > 0 ? captions.toggle : undefined,
    nextAudio:
      (choices?.audio.length ?? 0) > 1 ? () => announce(`Audio: ${stored.nextAudio() ?? 'unchanged'}`) : undefined,
    onDigit: numbers.onDigit,
    toggleStrip: () => setLayer(layer ? undefined : 'strip'),
    openGuide: () => setLayer('guide'),
    toggleWatchlist: () =>
      shown && current
        ? marks.toggleWatchlist({ channelId: current.id, startsAt: shown.from, title: (recording ?? now)!.title })
        : favorite.toggle(),
    showDetails:
      now &&
      (() => {
        leaveFullScreen()
        setDetails({ program: now, isOpen: true })
      }),
    nextFavorite: nextFavorite && (() => choose(nextFavorite.id)),
    report,
  }
  const onLast = last === undefined ? undefined : () => choose(last)
  usePlayerShortcuts({
    actions,
    volume: videoState.isMuted ? 0 : videoState.volume,
    lastChannel: () => onLast?.(),
    singleKeys,
  })
  return {
    ...{ watch, guide, plays, favorites, playable, recent, current, program, recording, missingCodec },
    ...{
      video,
      container,
      state,
      isAutoplayBlocked,
      videoState,
      bitrate,
      stored,
      captions,
      timeline,
      sleepTimer,
      setSleepTimer,
      endSleepTimer,
      actions,
      numbers,
    },
    ...{ details, setDetails, layer, setLayer },
    ...{ play, takeBack, end, choose, onSeek, onLast, watchFromStart },
  }
}
