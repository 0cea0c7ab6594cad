import { Link } from '@tanstack/react-router'
import { Banknote, Cable, Flag, type LucideIcon, Mail, UserRound } from 'lucide-react'
import type { OpenItem, TimelineEntry, TimelineGroup } from '#features/customers/admin-timeline-contract.ts'
import type { Permission } from '#kit/permissions.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'
import { TimelineTime } from './timeline-time.tsx'

const icons: Record<TimelineGroup, LucideIcon> = {
  money: Banknote,
  line: Cable,
  requests: Flag,
  emails: Mail,
  account: UserRound,
}

/** The permission that the open action of each kind of entry needs. */
const openPermission: Record<OpenItem['kind'], Permission> = {
  invoice: 'payments.decide',
  report: 'reports.edit',
  trial: 'trials.decide',
  line: 'lines.edit',
  inquiry: 'inquiries.edit',
  edit: 'subscriptions.edit',
}

interface Props {
  entry: TimelineEntry
  onOpen: (entry: TimelineEntry, button: HTMLElement) => void
  isOpening: boolean
}

/** One timeline entry, with a button if an action is still open. */
export function TimelineItem({ entry, onOpen, isOpening }: Props) {
  const { at, group, tone, title, detail, count, invoiceNumber, open } = entry
  const may = useMay()
  const Icon = icons[group]
  return (
    <li>
      <span className="timeline-mark" data-tone={tone} aria-hidden="true">
        <Icon size={16} />
      </span>
      <div className="timeline-text">
        <b>
          {title}
          {count > 1 && <span className="num"> ({count} times)</span>}
        </b>
        {detail && <p>{linked(detail, invoiceNumber)}</p>}
        {open && may(openPermission[open.kind]) && (
          <Button
            size="sm"
            variant={open.kind === 'edit' ? 'line' : 'ink'}
            className="mt-2"
            aria-haspopup="dialog"
            pending={isOpening}
            onClick={({ currentTarget }) => onOpen(entry, currentTarget)}
          >
            {open.action}
            <span className="sr-only">: {title}</span>
          </Button>
        )}
      </div>
      <TimelineTime value={at} />
    </li>
  )
}

/** The text with its invoice number as a link. */
function linked(text: string, invoiceNumber: string | null) {
  const start = invoiceNumber === null ? -1 : text.indexOf(invoiceNumber)
  if (invoiceNumber === null || start < 0) return text
  return (
    <>
      {text.slice(0, start)}
      <Link to="/invoice/$invoiceNumber" params={{ invoiceNumber }} preload={false} className="link num">
        {invoiceNumber}
      </Link>
      {text.slice(start + invoiceNumber.length)}
    </>
  )
}
