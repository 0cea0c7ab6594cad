import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

const InquiryForm = lazyRouteComponent(() => import('#features/inquiries/web/inquiry-form.tsx'), 'InquiryForm')
// Server rendering is synchronous, so the component is loaded beforehand.
if (import.meta.env.SSR) await InquiryForm.preload?.()

/** The inquiry form in a card. The form is a separate chunk, so that it does not delay the page. */
export function InquiryCard({ isNear = true }: { isNear?: boolean | undefined }) {
  const waiting = (
    <div className="inquiry-wait" aria-hidden="true">
      <Skeleton className="h-full" />
    </div>
  )
  return (
    <div className="card">
      <div className="card-body">
        <noscript>
          <p className="mb-4">Please email or call us: this form needs JavaScript.</p>
        </noscript>
        {isNear ? (
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
