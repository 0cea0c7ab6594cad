import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { SectionHead } from '../../ui/section-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const DevicesOverview = lazyRouteComponent(() => import('./devices-overview.tsx'), 'DevicesOverview')
// The server does not wait while it renders: it has to have it before.
if (import.meta.env.SSR) await DevicesOverview.preload?.()

/** Far below what one sees at first: the server draws it, its code comes after the page's. */
export function DevicesSection() {
  return (
    <section className="section bg-sunken" id="devices" aria-labelledby="devices-title">
      <div className="wrap">
        <SectionHead
          id="devices-title"
          title="On every screen you own"
          lead="Install the app where you like; only what plays at the same moment counts."
        />
        <Suspense fallback={<Skeleton className="h-120" />}>
          <DevicesOverview />
        </Suspense>
      </div>
    </section>
  )
}
