import { Badge, type BadgeVariant } from '#web/ui/badge.tsx'
import type { TicketStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'

const looks: Record<TicketStatus, BadgeVariant> = { open: 'outline', waiting: 'secondary', solved: 'default' }

/** The status of a ticket. `isCustomer`: uses the words for the customer of the ticket. */
export function TicketStatusBadge({ status, isCustomer = false }: { status: TicketStatus; isCustomer?: boolean }) {
  return (
    <Badge variant={looks[status]} waiting={status === 'open'}>
      {isCustomer && status === 'waiting' ? 'Answered' : statusNames[status]}
    </Badge>
  )
}
