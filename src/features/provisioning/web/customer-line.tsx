import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { DetailLine } from '#web/ui/detail-line.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { getCustomerLine } from '../admin-contract.ts'
import { LineFacts } from './line-facts.tsx'
import { LineJobState } from './line-job-state.tsx'
import { causeNames } from './line-texts.ts'

/** A customer's line for administrators: its desired state, the panel's last report and the newest jobs. Renders nothing without a line. */
export function CustomerLine({ userId }: { userId: number }) {
  const { data: line } = useQuery(query(getCustomerLine, { params: { userId } }))
  if (!line) return null
  return (
    <Card title="Line" titleId="customer-line">
      <dl className="details mt-0!">
        <DetailLine label="Username">{line.username ?? 'None yet'}</DetailLine>
        <DetailLine label="Server">{line.server || '-'}</DetailLine>
        <DetailLine label="Desired state" wide>
          <LineFacts facts={line.wanted} />
        </DetailLine>
        <DetailLine label="On the panel" wide>
          <LineFacts facts={line.panel} />
          {line.seenAt && (
            <span className="block text-fg-2">
              as of <DateText value={line.seenAt} look="minute" />
            </span>
          )}
        </DetailLine>
      </dl>
      {line.jobs.length > 0 && (
        <ul aria-label="Jobs of this line" className="mt-5 grid gap-2 border-t pt-4">
          {line.jobs.map((job) => (
            <li key={job.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <LineJobState job={job} />
              <Link to="/admin/lines" search={{ search: `#${job.id}` } as never} className="link">
                {causeNames[job.cause]}
              </Link>
              <DateText value={job.createdAt} look="minute" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
