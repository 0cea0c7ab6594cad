import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import chartSheet from '#web/styles/charts/charts.css?url'
import { query } from '../data.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { isInHtml, pagePart } from '../ui/hydration/page-part.ts'
import { useMay } from '../ui/permission/use-may.ts'
import { AdminFrame } from './admin/admin-frame.tsx'
import { useIsIdle } from './admin/desk/use-is-idle.ts'
import { ActivityCard } from './admin/overview/activity-card.tsx'
import { FiguresCard } from './admin/overview/figures-card.tsx'
import { OverviewActions } from './admin/overview/overview-actions.tsx'
import { OverviewLead } from './admin/overview/overview-lead.tsx'
import { PromisesCard } from './admin/overview/promises-card.tsx'
import { QueueCard } from './admin/overview/queue-card.tsx'
import { SetupCard } from './admin/overview/setup-card.tsx'
import { useSetup } from './admin/overview/use-setup.ts'

const OverviewCharts = lazy(() =>
  import('#features/insight/web/overview-charts.tsx').then((module) => ({ default: module.OverviewCharts })),
)

const SetupList = pagePart(() => import('./admin/overview/setup-list.tsx'), 'SetupList', isInHtml('#setup-heading'))

/** /admin/overview: what needs an administrator now, today's figures and the latest events. */
export function AdminOverviewPage() {
  const { data: user } = useQuery(query(currentUser))
  const { setup, later } = useSetup()
  const may = useMay()
  const isIdle = useIsIdle()
  const charts = isIdle && may('insight.read') && (
    <Suspense>
      <link rel="stylesheet" href={chartSheet} precedence="page" />
      <OverviewCharts isNew={setup?.isNew ?? false} />
    </Suspense>
  )
  if (setup?.isNew)
    return (
      <AdminFrame
        title={`Welcome, ${user?.username ?? ''}`}
        lead={
          <span className="overview-lead">
            Your site is online. <b>Complete these steps</b> to take your first payment.
          </span>
        }
        className="overview-head"
        actions={
          <ButtonLink to="/" variant="line" size="sm">
            View Site
          </ButtonLink>
        }
      >
        <div className="overview-columns">
          <Suspense>
            <SetupList setup={setup} onLater={later} />
          </Suspense>
          <div className="overview-stack">
            <QueueCard />
            <ActivityCard />
          </div>
        </div>
        {charts}
      </AdminFrame>
    )
  return (
    <AdminFrame title="Overview" lead={<OverviewLead />} actions={<OverviewActions />} className="overview-head">
      {may('insight.read') && <FiguresCard />}
      <div className="overview-columns">
        <QueueCard />
        <div className="overview-stack">
          {setup && <SetupCard setup={setup} onLater={later} />}
          {may('audit.read') && <ActivityCard />}
          <PromisesCard />
        </div>
      </div>
      {charts}
    </AdminFrame>
  )
}
