import { useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { DetailLine } from '#web/ui/detail-line.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { getCustomerLine } from '../admin-contract.ts'
import { LineFacts } from './line-facts.tsx'

/** A customer's line for administrators: its desired state and the panel's last report. Renders nothing without a line. */
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
    </Card>
  )
}
