import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Suspense } from 'react'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import lineupSheet from './lineup.css?url'
import { LineupItems } from './lineup-items.tsx'
import { lineupLists } from './lineup-lists.ts'
import { LineupOverview } from './lineup-overview.tsx'

const start = 'overview'
const tabs = [{ value: start, label: 'Overview' }, ...lineupLists.map(({ id, tab }) => ({ value: id, label: tab }))]

/** The complete lineup in tabs (specification 2, Channels). All lists are in the HTML: without scripts they are shown one below the other. */
export function LineupPage() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { tab } = useSearch({ from: '/channels/lineup' })
  const navigate = useNavigate()
  const chosen = tabs.find(({ value }) => value === tab)?.value ?? start
  const choose = (next: string) =>
    void navigate({
      to: '/channels/lineup',
      search: { tab: next === start ? undefined : next },
      replace: true,
      resetScroll: false,
    })
  const panel = (id: string) => ({
    role: 'tabpanel',
    id: `lineup-panel-${id}`,
    'aria-labelledby': `lineup-tab-${id}`,
    tabIndex: 0,
    className: clsx('lineup-panel', id !== chosen && 'folded'),
  })
  return (
    <div className="wrap page">
      <PageHeader
        title="Complete Lineup"
        lead="Countries, sports, packages and channels that never sign off."
        actions={
          <ButtonLink to="/channels" variant="line">
            Browse Channels
          </ButtonLink>
        }
      />
      {/* After a navigation the heading is shown while the style sheet loads. */}
      <Suspense fallback={<Skeleton className="h-240" />}>
        <link rel="stylesheet" href={lineupSheet} precedence="page" />
        <div className="lineup-filter">
          <Tabs id="lineup" label="Lineup" tabs={tabs} value={chosen} onChange={choose} />
        </div>
        <div {...panel(start)}>
          <LineupOverview claims={site.claims} />
        </div>
        {lineupLists.map((list) => (
          <div key={list.id} {...panel(list.id)}>
            <h2>{list.title}</h2>
            <p className="lineup-lead">{list.lead}</p>
            <LineupItems list={list} />
          </div>
        ))}
      </Suspense>
    </div>
  )
}
