import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  type ComponentType,
  lazy,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { getSite } from '#features/settings/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SearchInput } from '#web/ui/table/search-input.tsx'
import { type Channel, listChannels } from '../../contract.ts'
import {
  type ChannelFilter,
  channelCount,
  channelFilter,
  channelFilters,
  channelGroups,
  withoutPlus,
} from '../../rules.ts'
import { findChannels } from '../../search-rules.ts'
import type { ChannelNote } from './channel-card.tsx'
import { ChannelFilterBar } from './channel-filter-bar.tsx'
import { ChannelGroup } from './channel-group.tsx'
import { ChannelSkeletons } from './channel-skeletons.tsx'
import channelsSheet from './channels.css?url'
import { useChannelSearch } from './use-channel-search.ts'

const loadDialog = () => import('./channel-preview-dialog.tsx')
const ChannelPreviewDialog = lazy(() => loadDialog().then((module) => ({ default: module.ChannelPreviewDialog })))
const ChannelSearchKey = lazy(() =>
  import('./channel-search-key.tsx').then((module) => ({ default: module.ChannelSearchKey })),
)

interface Props {
  /** An extra button of a preview. */
  previewAction?: ComponentType<{ channel: Channel }> | undefined
  /** The main button of a preview for a visitor with a running subscription. */
  subscriberAction?: ComponentType<{ channel: Channel }> | undefined
  /** What is on, by channel id, for the cards; `wait` while it loads. */
  notes?: ReadonlyMap<number, ChannelNote> | 'wait' | undefined
}

const inFilter = (channels: Channel[], filter: ChannelFilter) =>
  filter === 'all' ? channels : channels.filter((channel) => channel.category === filter)

/** The lineup by category with previews (specification 2, Channels). */
export function ChannelsPage({ previewAction, subscriberAction, notes }: Props) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: channels, error, isFetching, refetch } = useQuery(query(listChannels))
  const { category } = useSearch({ from: '/channels' })
  const navigate = useNavigate()
  const [shown, setShown] = useState<Channel>()
  const [isOpen, setIsOpen] = useState(false)
  const card = useRef<HTMLElement>(null)
  const open = useCallback((channel: Channel, from: HTMLElement) => {
    card.current = from
    setShown(channel)
    setIsOpen(true)
  }, [])
  const { search, clear, field } = useChannelSearch()
  // The component for the key is loaded after the page.
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  const isSearching = search.trim() !== ''
  const found = useMemo(() => findChannels(channels ?? [], search), [channels, search])
  const groups = useMemo(() => channelGroups(found), [found])
  const filter = channelFilter(category)
  const countOf = (id: ChannelFilter) =>
    channels && found.filter((channel) => id === 'all' || channel.category === id).length
  // The tab responds immediately, although laying out about 200 cards may take longer on a phone.
  const deferredFilter = useDeferredValue(filter)
  // A shorter list may end above the current scroll position, so the page scrolls up to its first channel.
  const list = useRef<HTMLDivElement>(null)
  const listed = useRef(deferredFilter)
  useEffect(() => {
    if (listed.current === deferredFilter) return
    listed.current = deferredFilter
    if (list.current && list.current.getBoundingClientRect().top < 0) list.current.scrollIntoView()
  }, [deferredFilter])
  const hasTabs = channels?.length !== 0
  const isEmpty = channels && (filter === 'all' ? groups.length === 0 : groups.every(({ id }) => id !== filter))

  const choose = (next: ChannelFilter) => {
    void navigate({
      to: '/channels',
      search: (before) => ({ ...before, category: next === 'all' ? undefined : next }),
      replace: true,
      resetScroll: false,
    })
    const count = countOf(next)
    if (count !== undefined) announce(`${channelCount(count)} in ${channelFilters.find(({ id }) => id === next)!.name}`)
  }

  return (
    <div className="wrap page">
      <PageHeader
        className="channels-head"
        title="Channel Lineup"
        lead={
          channels?.length === 0
            ? 'Our lineup is coming soon.'
            : channels
              ? `${channelCount(channels.length)} to explore in ${channelGroups(channels).length} categories. Choose one to preview it.`
              : 'Choose a channel to preview it.'
        }
        actions={
          <>
            {hasTabs && (
              <form action="/channels" className="channel-search" onSubmit={(event) => event.preventDefault()}>
                {filter !== 'all' && <input type="hidden" name="category" value={filter} />}
                <SearchInput {...field} name="q" placeholder="Search channels...">
                  {isMounted && (
                    <Suspense>
                      <ChannelSearchKey field={field.ref} />
                    </Suspense>
                  )}
                </SearchInput>
              </form>
            )}
            <ButtonLink to="/channels/lineup" variant="line">
              Complete Lineup
            </ButtonLink>
          </>
        }
      />
      {/* After a navigation the heading is shown while the style sheet loads. */}
      <Suspense fallback={<Skeleton className="h-240" />}>
        <link rel="stylesheet" href={channelsSheet} precedence="page" />
        {hasTabs && <ChannelFilterBar countOf={countOf} value={filter} onChange={choose} />}
        {isSearching && channels && (
          <p className="channel-found" role="status">
            {countOf(filter)} of {channelCount(inFilter(channels, filter).length)}
          </p>
        )}
        {/* Preloads the dialog on hover and focus. */}
        <div
          ref={list}
          className="channel-list"
          role="tabpanel"
          aria-label={hasTabs ? undefined : 'Channels'}
          aria-labelledby={hasTabs ? `channels-tab-${filter}` : undefined}
          id={`channels-panel-${filter}`}
          aria-busy={!channels && isFetching}
          onPointerOver={channels && (() => void loadDialog())}
          onFocus={channels && (() => void loadDialog())}
        >
          {!channels && !error && <ChannelSkeletons />}
          {!channels && error && (
            <ErrorState
              title="The channels could not be loaded"
              message={messageOf(error)}
              pending={isFetching}
              onRetry={() => void refetch()}
            />
          )}
          {isEmpty && isSearching && (
            <EmptyState
              title={`No channel matches “${search.trim()}”`}
              action={
                <Button variant="line" onClick={clear}>
                  Clear Search
                </Button>
              }
            >
              {filter === 'all' ? 'Check the spelling, or try a shorter word.' : 'Try another category.'}
            </EmptyState>
          )}
          {isEmpty && !isSearching && (
            <EmptyState title="No channels here yet">
              {groups.length === 0
                ? 'Channels will appear here once they are added.'
                : 'Channels in this category are coming soon.'}
            </EmptyState>
          )}
          {groups.map((group) => (
            <ChannelGroup
              key={group.id}
              {...group}
              folded={deferredFilter !== 'all' && deferredFilter !== group.id}
              asRow={deferredFilter === 'all' && !isSearching}
              notes={notes}
              onOpen={open}
            />
          ))}
        </div>
        <div className="channels-end">
          {subscriberAction ? (
            <>
              <ButtonLink to="/setup" size="lg">
                Open Setup Guide
              </ButtonLink>
              <p>Your plan has over {withoutPlus(site.claims.liveChannels)} channels</p>
            </>
          ) : (
            <>
              <ButtonLink to="/pricing" size="lg">
                Access All Channels
              </ButtonLink>
              <p>Over {withoutPlus(site.claims.liveChannels)} channels available with our subscription plans</p>
            </>
          )}
        </div>
      </Suspense>
      <Suspense>
        {shown && (
          <ChannelPreviewDialog
            channel={shown}
            open={isOpen}
            onOpenChange={setIsOpen}
            returnTo={card}
            action={previewAction}
            subscriberAction={subscriberAction}
            note={notes === 'wait' ? undefined : notes?.get(shown.id)}
          />
        )}
      </Suspense>
    </div>
  )
}
