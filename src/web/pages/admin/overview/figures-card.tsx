import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { type DailyFigure, type Figures, getFigures } from '#features/desk/admin-overview-contract.ts'
import { changeOf } from '#features/desk/figure-rules.ts'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

// The sparklines are loaded after the numbers: their library is as large as the rest of the page.
const Sparkline = lazy(() => import('#web/ui/chart/sparkline.tsx').then((module) => ({ default: module.Sparkline })))
const skeletons = [1, 2, 3, 4, 5]
const counted = new Intl.NumberFormat('en-US')
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long' })

/** The figures of today. Each one links to its list. */
export function FiguresCard() {
  // Days end at midnight in the browser's time zone, which is unknown on the server. So only the browser renders the figures.
  const offset = -new Date().getTimezoneOffset()
  const figures = useQuery(query(getFigures, { query: { offset } }))
  const { data, error } = figures
  return (
    <section className="card desk-card figures" aria-label="Figures of today">
      {data ? (
        figuresOf(data).map(({ label, link, number, note, days }) => (
          <Link key={label} {...(link as LinkProps)} className="figure">
            <span className="figure-label">{label}</span>
            <b className="num">{number}</b>
            <span className="figure-note">{note}</span>
            {days && (
              <Suspense>
                <Sparkline values={days} />
              </Suspense>
            )}
          </Link>
        ))
      ) : error ? (
        <div className="figures-error">
          <ErrorState
            title="Error loading data"
            message={messageOf(error)}
            pending={figures.isFetching}
            onRetry={() => void figures.refetch()}
          />
        </div>
      ) : (
        <>
          <span role="status" className="sr-only">
            Loading
          </span>
          {skeletons.map((each) => (
            <div key={each} className="figure">
              <Skeleton className="h-4 w-24" />
              <Skeleton className="h-7 w-28" />
              <Skeleton className="h-4 w-32" />
            </div>
          ))}
        </>
      )}
    </section>
  )
}

type Figure = { label: string; link: object; number: string; note: ReactNode; days?: number[] }
const panel = (search: object) => ({ to: '/admin', search })

function figuresOf({ now, collected, accounts, trials, active, renewals }: Figures): Figure[] {
  const today = weekday.format(new Date(now))
  return [
    {
      label: 'Collected today',
      link: panel({ tab: 'invoices', status: 'paid' }),
      number: formatCents(collected.today),
      note: <Change of={collected} day={today} />,
      days: collected.days,
    },
    {
      label: 'New accounts today',
      link: panel({}),
      number: counted.format(accounts.today),
      note: <Change of={accounts} day={today} />,
      days: accounts.days,
    },
    {
      label: 'Active subscribers',
      link: panel({ tab: 'subscriptions', status: 'active' }),
      number: counted.format(active.count),
      note: `${counted.format(active.endedToday)} ended today`,
      days: active.days,
    },
    {
      label: 'Open trial requests',
      link: panel({ tab: 'trials' }),
      number: counted.format(trials.open),
      note: `${counted.format(trials.today)} today, ${counted.format(trials.before)} by this time last ${today}`,
      days: trials.days,
    },
    {
      label: 'Renewals due in 7 days',
      link: panel({ tab: 'subscriptions', status: 'active', sort: 'subscriptionEndDate', order: 'asc' }),
      number: counted.format(renewals.week),
      note: `${counted.format(renewals.today)} of them today`,
      days: renewals.days,
    },
  ]
}

/** The change compared with the same hours one week ago. */
function Change({ of: { today, before }, day }: { of: DailyFigure; day: string }) {
  const change = changeOf(today, before)
  if (!change) return before === 0 ? `None by this time last ${day}` : `Same as last ${day}`
  const Icon = change.isUp ? TrendingUp : TrendingDown
  return (
    <>
      <span className="figure-change" data-trend={change.isUp ? 'up' : 'down'}>
        <Icon size={14} aria-hidden="true" />
        <span className="sr-only">{change.isUp ? 'up ' : 'down '}</span>
        {change.percent}
      </span>{' '}
      vs. last {day}
    </>
  )
}
