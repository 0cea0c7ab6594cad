import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { Note } from '#web/ui/note.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { getDirect } from '../../admin-direct-contract.ts'
import { directOutcomeText } from '../../direct-rules.ts'

const DirectForm = lazy(() => import('./direct-form.tsx').then((module) => ({ default: module.DirectForm })))
const DirectTest = lazy(() => import('./direct-test.tsx').then((module) => ({ default: module.DirectTest })))

/** Direct delivery: the setting, a test of a channel, and how plays were delivered. */
export function DirectSection() {
  const { data, error } = useQuery(query(getDirect))
  if (error) return <Note tone="bad">{messageOf(error)}</Note>
  if (!data) return <Skeleton className="mb-6 h-40" />
  return (
    <Card
      title="Direct delivery"
      titleId="direct-delivery"
      aside={<Badge variant={data.enabled ? 'default' : 'neutral'}>{data.enabled ? 'On' : 'Off'}</Badge>}
      className="mb-6"
    >
      <div className="grid max-w-160 gap-5">
        <p>
          Browsers load streams directly from the load balancers of the panel, so that the streams do not pass through
          this site. A stream is delivered directly only if its address uses https, its host is in the list, the host
          permits pages of this site (CORS), and no address contains the username or the password of the line. All other
          streams go through this site, and so does a stream that a browser cannot load directly.
        </p>
        <Note>
          After a play has ended here, the viewer’s page stops it within 20 seconds. Viewers who change the code of the
          page can continue until the panel ends their connection. The panel checks countries only for the IP address of
          this site.
        </Note>
        <Suspense fallback={<Skeleton className="h-40" />}>
          <DirectForm stored={data} />
        </Suspense>
        {data.plays.length > 0 && (
          <div>
            <h3 className="mb-2">Plays in the last 24 hours</h3>
            <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1">
              {data.plays.map(({ outcome, count }) => (
                <div key={outcome} className="contents">
                  <dt>{directOutcomeText(outcome)}</dt>
                  <dd className="num text-right">{count}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
        <May needs="watching.edit">
          <Suspense>
            <DirectTest />
          </Suspense>
        </May>
      </div>
    </Card>
  )
}
