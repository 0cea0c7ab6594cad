import { Ban, CircleAlert, CircleCheck, Clock, Eye, type LucideIcon, Minus, Undo2 } from 'lucide-react'
import { Badge, type BadgeVariant } from './badge.tsx'

export type Status =
  | 'active'
  | 'inactive'
  | 'pending'
  | 'expired'
  | 'cancelled'
  | 'none'
  | 'draft'
  | 'paid'
  | 'refunded'
  | 'reviewing'
  | 'resolved'
  | 'dismissed'
  | 'approved'
  | 'denied'
  | 'open'
  | 'answered'
  | 'synced'
  | 'not_synced'
  | 'not_linked'
  | 'queued'
  | 'sent'
  | 'failed'
  | 'kept'
  | 'done'
  | 'rejected'
  | 'unknown'
  | 'needs_you'
  | 'preparing'
  | 'paused'

const looks: Record<Status, [label: string, icon: LucideIcon, variant: BadgeVariant]> = {
  active: ['Active', CircleCheck, 'default'],
  inactive: ['Inactive', Minus, 'neutral'],
  pending: ['Pending', Clock, 'outline'],
  expired: ['Expired', CircleAlert, 'destructive'],
  cancelled: ['Cancelled', Ban, 'outline'],
  none: ['None', Minus, 'neutral'],
  draft: ['Draft', Minus, 'neutral'],
  paid: ['Paid', CircleCheck, 'default'],
  refunded: ['Refunded', Undo2, 'neutral'],
  reviewing: ['Under Review', Eye, 'secondary'],
  resolved: ['Resolved', CircleCheck, 'default'],
  dismissed: ['Dismissed', Ban, 'destructive'],
  approved: ['Approved', CircleCheck, 'default'],
  open: ['Open', Clock, 'outline'],
  answered: ['Answered', CircleCheck, 'default'],
  denied: ['Denied', CircleAlert, 'destructive'],
  synced: ['Synced', CircleCheck, 'default'],
  not_synced: ['Not Synced', Ban, 'outline'],
  not_linked: ['Not linked', Ban, 'outline'],
  queued: ['Queued', Clock, 'outline'],
  sent: ['Sent', CircleCheck, 'default'],
  failed: ['Failed', CircleAlert, 'destructive'],
  kept: ['Not sent', Minus, 'neutral'],
  done: ['Done', CircleCheck, 'default'],
  rejected: ['Rejected', CircleAlert, 'destructive'],
  unknown: ['Unknown', CircleAlert, 'secondary'],
  needs_you: ['Needs you', CircleAlert, 'destructive'],
  preparing: ['Being set up', Clock, 'outline'],
  paused: ['Paused', Ban, 'outline'],
}

export function StatusBadge({ status, className }: { status: Status; className?: string }) {
  const [label, Icon, variant] = looks[status]
  return (
    <Badge
      variant={variant}
      waiting={status === 'pending' || status === 'queued' || status === 'open'}
      className={className}
    >
      <Icon />
      {label}
    </Badge>
  )
}
