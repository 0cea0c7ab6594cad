import { useQuery } from '@tanstack/react-query'
import { Link, lazyRouteComponent, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { CustomerLine } from '#features/provisioning/web/customer-line.tsx'
import { ApiError, messageOf } from '#kit/caller.ts'
import { query } from '../data.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { May } from '../ui/permission/may.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { UserMark } from '../ui/user-mark.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'
import { CustomerActions } from './admin/customer/customer-actions.tsx'
import { CustomerFacts } from './admin/customer/customer-facts.tsx'
import { CustomerFigures } from './admin/customer/customer-figures.tsx'
import { CustomerLead } from './admin/customer/customer-lead.tsx'
import { CustomerSubscription } from './admin/customer/customer-subscription.tsx'
import { CustomerTimeline } from './admin/customer/customer-timeline.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const CustomerEarlierInvoices = lazyRouteComponent(
  () => import('#features/imports/web/customer-earlier-invoices.tsx'),
  'CustomerEarlierInvoices',
)

/** /admin/users/{userId}: everything about one customer. */
export function AdminCustomerPage() {
  const { userId = '' } = useParams({ strict: false })
  const { data: customer, error, isFetching, refetch } = useQuery(query(getCustomer, { params: { userId } }))
  if (error && !customer) {
    const isMissing = error instanceof ApiError && error.status === 404
    return (
      <AdminFrame title={isMissing ? 'User not found' : 'Customer'}>
        <div className="card">
          <ErrorState
            title={isMissing ? 'No user has this ID' : 'Error loading data'}
            message={isMissing ? undefined : messageOf(error)}
            pending={isFetching}
            {...(!isMissing && { onRetry: () => void refetch() })}
            action={
              <ButtonLink to="/admin" variant="line">
                Back to Users
              </ButtonLink>
            }
          />
        </div>
      </AdminFrame>
    )
  }
  if (!customer)
    return (
      <AdminFrame title="Customer">
        <div role="status" className="grid gap-5 lg:grid-cols-2">
          <span className="sr-only">Loading…</span>
          <Skeleton className="h-80" />
          <Skeleton className="h-80" />
        </div>
      </AdminFrame>
    )
  return (
    <AdminFrame
      title={customer.user.fullName ?? customer.user.username}
      className="customer-head"
      mark={<UserMark id={customer.user.id} name={customer.user.username} />}
      lead={<CustomerLead customer={customer} />}
      actions={<CustomerActions key={customer.user.id} user={customer.user} />}
      above={
        <p className="mb-3">
          <Link to="/admin" className="link">
            All users
          </Link>
        </p>
      }
    >
      <CustomerFigures customer={customer} />
      <div className="customer-columns">
        <CustomerTimeline key={customer.user.id} user={customer.user} />
        <div className="grid min-w-0 gap-5">
          <CustomerSubscription {...customer} />
          <May needs="lines.read">
            <CustomerLine userId={customer.user.id} />
          </May>
          <CustomerFacts customer={customer} />
          <May needs="invoices.read">
            <Suspense>
              <CustomerEarlierInvoices key={customer.user.id} userId={customer.user.id} />
            </Suspense>
          </May>
        </div>
      </div>
    </AdminFrame>
  )
}
