import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getStatus, type ServiceStatus } from '#features/incidents/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '../../data.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { IncidentList } from './incident-list.tsx'
import { StatusDays } from './status-days.tsx'
import { StatusMark } from './status-mark.tsx'

const renewMs = 60_000

/** /status: what works now, what is planned, and what happened in the last days. */
export function StatusPage() {
  const { data, error, isFetching, refetch } = useQuery({ ...query(getStatus), refetchInterval: renewMs })
  return (
    <div className="wrap page page-text">
      <PageHeader
        title="Service Status"
        lead="What works now, planned maintenance, and the incidents of the last days."
      />
      {data ? (
        <Found status={data} />
      ) : error ? (
        <ErrorState
          title="The status could not be loaded"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton className="h-60" />
      )}
      <p className="mt-8">
        Is something else not working?{' '}
        <Link to="/contact" className="link">
          Contact Support
        </Link>
      </p>
    </div>
  )
}

function Found({ status: { state, open, planned, ended, days } }: { status: ServiceStatus }) {
  return (
    <>
      <StatusMark state={state} />
      {open.length > 0 && <IncidentList title="Now" incidents={open} isOpen />}
      {planned.length > 0 && <IncidentList title="Planned maintenance" incidents={planned} isOpen />}
      <StatusDays days={days} />
      {ended.length > 0 && <IncidentList title="Past incidents" incidents={ended} />}
    </>
  )
}
