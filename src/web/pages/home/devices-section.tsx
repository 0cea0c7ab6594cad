import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { SectionHead } from '../../ui/section-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const DevicesOverview = lazyRouteComponent(() => import('./devices-overview.tsx'), 'DevicesOverview')
// Server rendering is synchronous, so the component is loaded beforehand.
if (import.meta.env.SSR) await DevicesOverview.preload?.()

/** The devices section is far below the fold. The server renders it. The browser loads its code after the code of the page. */
export function DevicesSection() {
  return (
    <section className="section bg-sunken" id="devices" aria-labelledby="devices-title">
      <div className="wrap">
        <SectionHead
          id="devices-title"
          title="On every screen you own"
          lead="Install the app wherever you like; your plan only limits screens playing at once."
        />
        <Suspense fallback={<Skeleton className="h-120" />}>
          <DevicesOverview />
        </Suspense>
      </div>
    </section>
  )
}
