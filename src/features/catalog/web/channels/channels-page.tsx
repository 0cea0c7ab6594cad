import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { getSite } from '#features/settings/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import { type Channel, listChannels } from '../../contract.ts'
import {
  type ChannelFilter,
  channelCount,
  channelFilter,
  channelFilters,
  channelGroups,
  withoutPlus,
} from '../../rules.ts'
import { ChannelGroup } from './channel-group.tsx'
import { ChannelSkeletons } from './channel-skeletons.tsx'

const loadDialog = () => import('./channel-preview-dialog.tsx')
const ChannelPreviewDialog = lazy(() => loadDialog().then((module) => ({ default: module.ChannelPreviewDialog })))

const tabs = channelFilters.map(({ id, name }) => ({ value: id, label: name }))

interface Props {
  /** Added to the buttons of a preview. */
  previewAction?: ComponentType<{ channel: Channel }> | undefined
  /** The main button of a preview for a visitor with a running subscription. */
  subscriberAction?: ComponentType | undefined
}

/** The lineup by category with previews (specification 2, Channels). */
export function ChannelsPage({ previewAction, subscriberAction }: Props) {
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
  const groups = useMemo(() => channelGroups(channels ?? []), [channels])
  const filter = channelFilter(category)
  // The tab responds immediately, while laying out about 200 cards may take longer on a phone.
  const deferredFilter = useDeferredValue(filter)
  const hasTabs = channels?.length !== 0
  const isEmpty = channels && (filter === 'all' ? groups.length === 0 : groups.every(({ id }) => id !== filter))

  const choose = (next: ChannelFilter) => {
    void navigate({
      to: '/channels',
      search: { category: next === 'all' ? undefined : next },
      replace: true,
      resetScroll: false,
    })
    const count = channels?.filter((channel) => next === 'all' || channel.category === next).length
    if (count !== undefined) announce(`${channelCount(count)} in ${tabs.find(({ value }) => value === next)!.label}`)
  }

  return (
    <div className="wrap page">
      <PageHeader
        title="Channel Lineup"
        lead={
          channels?.length === 0
            ? 'Our lineup is coming soon.'
            : channels
              ? `${channelCount(channels.length)} to explore in ${groups.length} categories. Choose one to preview it.`
              : 'Choose a channel to preview it.'
        }
        actions={
          <ButtonLink to="/channels/lineup" variant="line">
            Complete Lineup
          </ButtonLink>
        }
      />
      {hasTabs && (
        <div className="channel-filter">
          <Tabs id="channels" label="Channel category" look="pills" tabs={tabs} value={filter} onChange={choose} />
        </div>
      )}
      {/* Preloads the dialog on hover and focus. */}
      <div
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
        {isEmpty && (
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
      <Suspense>
        {shown && (
          <ChannelPreviewDialog
            channel={shown}
            open={isOpen}
            onOpenChange={setIsOpen}
            returnTo={card}
            action={previewAction}
            subscriberAction={subscriberAction}
          />
        )}
      </Suspense>
    </div>
  )
}
