import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Clock, List, Rows3 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useContext, useRef, useState, useSyncExternalStore } from 'react'
import { type Channel, listChannels } from '#features/catalog/contract.ts'
import { channelCount, channelFilters } from '#features/catalog/rules.ts'
import { getWatch } from '#features/watch/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { instantAt } from '#kit/clock.ts'
import { query } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import { getGuideNow } from '../contract.ts'
import type { GuideProgram } from '../rules.ts'
import { guideDay, guideDays, orderedChannels, readAtText, shownDay } from '../view-rules.ts'
import { Archives, longestArchive } from './archives.ts'
import { GuideFilters } from './guide-filters.tsx'
import { GuideHead } from './guide-head.tsx'
import { GuideLegend } from './guide-legend.tsx'
import { GuideList } from './guide-list.tsx'
import { GuideResults } from './guide-results.tsx'
import { type GuideSearch, guideSearchOf, type RawGuideSearch } from './guide-search.ts'
import { GuideSkeleton } from './guide-skeleton.tsx'
import { useFavorites } from './use-favorites.ts'
import { useMarks } from './use-marks.ts'
import { useNowNext } from './use-now-next.ts'

const ProgramDialog = lazy(() => import('./program-dialog.tsx').then((module) => ({ default: module.ProgramDialog })))
const GuideGrid = lazy(() => import('./grid/guide-grid.tsx').then((module) => ({ default: module.GuideGrid })))
type Opened = { channel: Channel; program: GuideProgram }

/** The guide: days, filters and search, and the programs as a grid or a list. */
export function GuideView() {
  const search = guideSearchOf(useSearch({ strict: false }) as RawGuideSearch)
  const { data: lineup } = useQuery(query(listChannels))
  const { error, isFetching, refetch } = useQuery(query(getGuideNow))
  const guide = useNowNext()
  const { data: watch } = useQuery(query(getWatch))
  const favorites = useFavorites()
  const marks = useMarks()
  const navigate = useNavigate()
  const zone = useTimeZone()
  const archives = useContext(Archives)
  const [opened, setOpened] = useState<Opened>()
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLElement>(null)
  // Counts presses of Now. It is the key of the grid, so that each press opens the grid at the current time again.
  const [jumps, setJumps] = useState(0)

  const { channels, favoriteCount } = orderedChannels(lineup ?? [], favorites.order, search.category)
  const onOpen = (channel: Channel, program: GuideProgram) => {
    opener.current = document.activeElement as HTMLElement
    setOpened({ channel, program })
    setIsOpen(true)
  }
  const go = (changes: Partial<GuideSearch>) =>
    void navigate({
      to: '/guide' as never,
      search: { ...search, ...changes } as never,
      replace: true,
      resetScroll: false,
    })
  const isWide = useIsWide()
  // A viewer who chose the list sees it on every visit.
  const [preferredView, storeView] = useLocalStorage('guide-view')
  const view = search.view ?? (preferredView === 'list' ? 'list' : 'grid')
  const isEmpty = guide?.channels.size === 0
  // Without any source, the list offers to ask the panel for listings.
  const mayAskPanel = guide?.readAt === null && watch?.blocked === null
  const showsGrid = isWide === true && view === 'grid' && !search.q && !isEmpty
  const days = guide && guideDays(guide.at, zone, longestArchive(archives))
  const day = days && shownDay(days, search.day)
  return (
    <>
      {days && day && (
        <GuideHead days={days} day={day} search={search} onSearch={(q) => go({ q: q || undefined, show: undefined })}>
          <Segmented
            legend="View"
            options={[
              { value: 'grid', label: <ViewLabel icon={<Rows3 size={17} aria-hidden="true" />} text="Grid" /> },
              { value: 'list', label: <ViewLabel icon={<List size={17} aria-hidden="true" />} text="List" /> },
            ]}
            value={view}
            onChange={(next) => {
              storeView(next)
              go({ view: next })
            }}
          />
        </GuideHead>
      )}
      {!day && <h1>Guide</h1>}
      <GuideFilters
        search={search}
        onChoose={(filter) => {
          const { length } = orderedChannels(lineup ?? [], favorites.order, filter).channels
          announce(`${channelCount(length)} in ${channelFilters.find(({ id }) => id === filter)?.name ?? 'Favorites'}`)
        }}
      >
        {showsGrid && (
          <div className="guide-jump">
            <Button
              variant="line"
              size="sm"
              onClick={() => {
                go({ day: undefined, at: undefined })
                setJumps(jumps + 1)
                announce('Now')
              }}
            >
              <Clock size={16} />
              Now
            </Button>
            <Button
              variant="line"
              size="sm"
              onClick={() => {
                go({ day: undefined, at: new Date(instantAt(guideDay(guide!.at, zone), 20, zone)).toISOString() })
                announce('Tonight, 8:00 PM')
              }}
            >
              Tonight 8 PM
            </Button>
          </div>
        )}
      </GuideFilters>
      {!guide && error && (
        <ErrorState
          title="The listings could not be loaded"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {(!guide || !lineup) && !error && <GuideSkeleton />}
      {guide && lineup && isEmpty && !mayAskPanel && (
        <EmptyState
          title="The listings are not here right now"
          action={
            <span className="flex flex-wrap justify-center gap-2.5">
              <ButtonLink to="/watch/{-$channelId}">Go to Live TV</ButtonLink>
              <Button variant="line" pending={isFetching} onClick={() => void refetch()}>
                Try Again
              </Button>
            </span>
          }
        >
          All channels still play.
          {guide.readAt && ` We last received listings ${readAtText(guide.readAt, guide.at, zone)}.`}
        </EmptyState>
      )}
      {guide && day && lineup && (!isEmpty || mayAskPanel) && (
        <>
          {search.q ? (
            <GuideResults
              channels={channels}
              day={search.day === day.day ? day : undefined}
              at={guide.at}
              search={search}
              marks={marks}
              onOpen={onOpen}
            />
          ) : channels.length === 0 ? (
            <EmptyState title="No channels here">
              {search.category === 'favorites'
                ? 'Select the star next to a channel to make it a favorite.'
                : 'Try another category.'}
            </EmptyState>
          ) : showsGrid ? (
            <Suspense fallback={<GuideSkeleton />}>
              <GuideGrid
                key={jumps}
                channels={channels}
                favoriteCount={favoriteCount}
                day={day}
                from={search.at === undefined ? undefined : Date.parse(search.at)}
                guide={guide}
                favorites={favorites}
                marks={marks}
                onOpen={onOpen}
              />
            </Suspense>
          ) : (
            <div className={isWide === undefined && view === 'grid' && !isEmpty ? 'guide-undecided' : undefined}>
              <GuideList
                channels={channels}
                favoriteCount={favoriteCount}
                guide={guide}
                day={day.day}
                search={search}
                favorites={favorites}
                marks={marks}
                onOpen={onOpen}
              />
            </div>
          )}
          {guide.sources.length > 0 && <p className="guide-foot">Listings: {guide.sources.join(', ')}</p>}
          {showsGrid ? (
            <GuideLegend archiveHours={longestArchive(archives)} />
          ) : (
            <p className="guide-foot">
              Times in {zone === 'UTC' ? 'UTC' : zone.replaceAll('_', ' ')}
              <Link to={'/check' as never} className="link guide-check">
                Is it me or you?
              </Link>
            </p>
          )}
        </>
      )}
      <Suspense>
        {opened && guide && (
          <ProgramDialog {...opened} at={guide.at} open={isOpen} onOpenChange={setIsOpen} returnTo={opener} />
        )}
      </Suspense>
    </>
  )
}

function ViewLabel({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <span className="guide-view">
      {icon}
      {text}
    </span>
  )
}
const wideWindow = '(min-width: 48.01rem)'

/** Whether the window has room for the grid; undefined on the server and during hydration. */
const useIsWide = (): boolean | undefined =>
  useSyncExternalStore<boolean | undefined>(
    (listener) => {
      const media = matchMedia(wideWindow)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(wideWindow).matches,
    () => undefined,
  )
