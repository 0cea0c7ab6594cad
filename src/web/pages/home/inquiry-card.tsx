import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

const InquiryForm = lazyRouteComponent(() => import('#features/inquiries/web/inquiry-form.tsx'), 'InquiryForm')
// The server does not wait while it renders: it has to have it before.
if (import.meta.env.SSR) await InquiryForm.preload?.()

/** The inquiry form in its card. Its code comes apart from the page's, so that forms weigh on nobody who only reads. */
export function InquiryCard({ wanted = true }: { wanted?: boolean }) {
  const waiting = (
    <div className="inquiry-wait" aria-hidden="true">
      <Skeleton className="h-full" />
    </div>
  )
  return (
    <div className="card">
      <div className="card-body">
        <noscript>
          <p className="mb-4">Please write to us by e-mail or call us: this form needs JavaScript.</p>
        </noscript>
        {wanted ? (
          <Suspense fallback={waiting}>
            <InquiryForm />
          </Suspense>
        ) : (
          waiting
        )}
      </div>
    </div>
  )
}
