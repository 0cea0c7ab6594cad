import { useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { getCustomerLine, type CustomerLine as Line } from '../admin-contract.ts'
import { LineFacts } from './line-facts.tsx'

/** Shows administrators a customer's line: its desired state and the state that the panel last reported. Renders nothing without a line. */
export function CustomerLine({ userId }: { userId: number }) {
  const { data: line } = useQuery(query(getCustomerLine, { params: { userId } }))
  if (!line) return null
  const same = isSame(line)
  return (
    <Card
      title="Line"
      titleId="customer-line"
      aside={
        line.panel.enabled === null ? (
          <Badge>Not created yet</Badge>
        ) : (
          <Badge variant={same ? 'default' : 'outline'} waiting={!same}>
            {same ? 'In sync' : 'Differs'}
          </Badge>
        )
      }
    >
      <dl className="customer-facts">
        <div>
          <dt>Username</dt>
          <dd>{line.username ?? 'None yet'}</dd>
        </div>
        {line.panelName && (
          <div>
            <dt>Panel</dt>
            <dd>{line.panelName}</dd>
          </div>
        )}
        <div>
          <dt>Server</dt>
          <dd>{line.server || '-'}</dd>
        </div>
        <div>
          <dt>Desired state</dt>
          <dd>
            <LineFacts facts={line.wanted} />
          </dd>
        </div>
        <div>
          <dt>On the panel</dt>
          <dd>{same ? 'The same' : <LineFacts facts={line.panel} />}</dd>
        </div>
        {line.seenAt && (
          <div>
            <dt>Checked</dt>
            <dd>
              <DateText value={line.seenAt} look="minute" />
            </dd>
          </div>
        )}
      </dl>
    </Card>
  )
}

/** Whether the reported state is the desired one. For a disabled line, only the enabled state is compared. */
const isSame = ({ wanted, panel }: Pick<Line, 'wanted' | 'panel'>): boolean =>
  wanted.enabled === panel.enabled &&
  (!wanted.enabled || (wanted.until === panel.until && wanted.connections === panel.connections))
