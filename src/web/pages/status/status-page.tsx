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

/** /status: the current state of the service, planned maintenance, and recent incidents. */
export function StatusPage() {
  const { data, error, isFetching, refetch } = useQuery({ ...query(getStatus), refetchInterval: renewMs })
  return (
    <div className="wrap page page-text">
      <PageHeader title="Service Status" lead="What works now, planned maintenance, and recent incidents." />
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
        Do you have a problem that is not listed here?{' '}
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
