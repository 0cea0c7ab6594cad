import { lazy, Suspense } from 'react'
import { ChannelList } from '#features/watch/web/channel-list.tsx'
import { useShortcutsDialog } from '#features/watch/web/player/use-shortcuts-dialog.tsx'
import { Player } from '#features/watch/web/player.tsx'
import watchSheet from '#features/watch/web/watch.css?url'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useIsHydrated } from '../../ui/hydration/use-is-hydrated.ts'
import { useWatching } from './use-watching.ts'
import { ViewerBar } from './viewer-bar.tsx'
import { WatchAbout } from './watch-about.tsx'

const WatchMenus = lazy(() => import('./watch-menus.tsx').then((module) => ({ default: module.WatchMenus })))
const PlayerLayer = lazy(() => import('./player-layer.tsx').then((module) => ({ default: module.PlayerLayer })))
const WhilePlaying = lazy(() => import('./while-playing.tsx').then((module) => ({ default: module.WhilePlaying })))
const WatchExtras = lazy(() => import('./watch-extras.tsx').then((module) => ({ default: module.WatchExtras })))
const ProgramScene = lazy(() =>
  import('../../brand/program-scene.tsx').then((module) => ({ default: module.ProgramScene })),
)

/** /watch: the player with the channels beside it. */
export function WatchPage() {
  const { singleKeys, showShortcuts, shortcutsDialog } = useShortcutsDialog()
  const watching = useWatching({ singleKeys, showShortcuts })
  const { watch, guide, current, program, recording, state, stored, actions, numbers } = watching
  const isHydrated = useIsHydrated()
  const shown = recording ? { title: recording.title, detail: '' } : program?.now
  return (
    <div className="watch">
      <link rel="stylesheet" href={watchSheet} precedence="page" />
      {current ? (
        <>
          <ViewerBar here="/watch" channelId={current.id} />
          <div className="theater stage">
            <div className="watch-stage">
              <Player
                watch={watch}
                programs={guide?.channels}
                channel={current}
                program={shown}
                state={state}
                isAutoplayBlocked={watching.isAutoplayBlocked}
                video={watching.video}
                container={watching.container}
                videoState={watching.videoState}
                bitrate={watching.bitrate}
                quality={stored.choices}
                onLowerQuality={stored.lowerQuality}
                actions={actions}
                timeline={watching.timeline}
                onSeek={watching.onSeek}
                missingCodec={watching.missingCodec}
                menus={
                  <Suspense>
                    <WatchMenus watching={watching} />
                  </Suspense>
                }
                poster={
                  isHydrated &&
                  shown && (
                    <Suspense>
                      <ProgramScene title={shown.title} detail={shown.detail} category={current.category} />
                    </Suspense>
                  )
                }
                layers={
                  <>
                    {numbers.shown && <output className="player-number num">{numbers.shown}</output>}
                    {watching.layer && (
                      <Suspense>
                        <PlayerLayer watching={watching} />
                      </Suspense>
                    )}
                  </>
                }
                onPlay={watching.play}
                onTakeBack={watching.takeBack}
                onEnded={watching.end}
              />
              <ChannelList
                channels={watch.channels}
                favorites={watching.favorites}
                recent={watching.recent}
                current={current.id}
                programs={guide?.channels}
                at={guide?.at ?? 0}
                isPlaying={state.phase === 'playing'}
                onChoose={watching.choose}
                onLast={watching.onLast}
              />
            </div>
          </div>
          <div className="watch-below">
            <WatchAbout
              channel={current}
              recording={recording}
              program={program}
              screens={watch.screens}
              play={watching.plays.find(({ isHere }) => isHere)}
              onFromStart={watching.watchFromStart}
              onLive={actions.goLive}
              onReport={actions.report}
            />
            {isHydrated && (
              <Suspense>
                <WatchExtras watching={watching} />
              </Suspense>
            )}
          </div>
        </>
      ) : (
        <div className="wrap page">
          <h1>Watch</h1>
          <EmptyState
            title="No channels to watch here yet"
            action={<ButtonLink to="/setup">Open Setup Guide</ButtonLink>}
          >
            Use the app on your TV or phone.
          </EmptyState>
        </div>
      )}
      {current && state.phase === 'playing' && (
        <Suspense>
          <WhilePlaying watching={watching} channel={current} title={shown?.title} />
        </Suspense>
      )}
      {shortcutsDialog}
    </div>
  )
}
