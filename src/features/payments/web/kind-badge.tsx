import { CircleAlert, CircleCheck, CircleHelp, Clock, Copy, Link2, Undo2, UserSearch } from 'lucide-react'
import { Badge } from '#web/ui/badge.tsx'
import type { PaymentRow } from '../admin-contract.ts'
import { kindLabel } from '../rules.ts'
import { pastTenseOf } from './decisions.ts'

const icons = {
  exact: CircleCheck,
  join: CircleCheck,
  linked: Link2,
  part: CircleAlert,
  over: CircleAlert,
  late: Clock,
  double: Copy,
  split: CircleAlert,
  likely: CircleHelp,
  unknown: UserSearch,
  reversal: Undo2,
}

/** The state of a payment, as an icon with a text. */
export function KindBadge({ row }: { row: Pick<PaymentRow, 'kind' | 'ready' | 'status' | 'difference' | 'decision'> }) {
  if (row.status === 'done' || row.status === 'held')
    return (
      <Badge variant={row.status === 'done' ? 'default' : 'outline'}>
        {pastTenseOf(row.decision?.action ?? 'confirm')}
      </Badge>
    )
  const Icon = icons[row.kind]
  const isWarning = ['part', 'over', 'late', 'split'].includes(row.kind)
  const look = row.ready
    ? 'default'
    : row.kind === 'double' || row.kind === 'reversal'
      ? 'destructive'
      : row.kind === 'unknown'
        ? 'neutral'
        : isWarning
          ? 'outline'
          : 'secondary'
  return (
    <Badge variant={look} waiting={isWarning && !row.ready}>
      <Icon size={14} />
      {kindLabel(row)}
    </Badge>
  )
}
