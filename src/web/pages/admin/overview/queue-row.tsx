import { Link, type LinkProps } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { use, useState } from 'react'
import type { QueueItem } from '#features/desk/admin-queue-contract.ts'
import { actionPermission } from '#features/desk/queue-rules.ts'
import { actionOf, detailOf, titleOf } from '#features/desk/queue-text-rules.ts'
import { formatTimeLeft, timeLeft, urgencyOf } from '#features/desk/rules.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { HeldBy } from '#web/ui/held-by.tsx'
import { HeldItemsContext } from '#web/ui/opened-item.ts'
import { useMay } from '#web/ui/permission/use-may.ts'
import { formatClock } from './format-clock.ts'
import { QueueClock } from './queue-clock.tsx'
import { QueueLinkForm } from './queue-link-form.tsx'
import type { RowState } from './use-pressed-rows.ts'

interface Props {
  item: QueueItem
  now: Date
  state: RowState
  /** Why the last press failed. */
  reason?: string | undefined
  /** The most urgent entry, whose button is emphasized. */
  isFirst: boolean
  onPress: (button: HTMLElement) => void
  onUndo?: (() => void) | undefined
  /** Called after the payment link was sent. */
  onSent: (row: HTMLElement) => void
}

/** A queue entry: the elapsed part of its promised time, title, details, time left, and the button of its next step. */
export function QueueRow({ item, now, state, reason, isFirst, onPress, onUndo, onSent }: Props) {
  const [isLinkOpen, setLinkOpen] = useState(false)
  const since = new Date(item.since)
  const urgency = urgencyOf(item.promiseMinutes, since, now)
  const left = timeLeft(item.promiseMinutes, since, now)
  const title = titleOf(item)
  const isDone = state === 'done' || state === 'leaving'
  const may = useMay()
  const held = use(HeldItemsContext)
  const holder = itemsOf(item).flatMap((each) => held.get(each) ?? [])[0]
  const rowId = `queue-${item.key}`

  return (
    <li id={rowId} className="queue-row" data-state={state}>
      <QueueClock
        kind={item.kind}
        urgency={urgency}
        share={1 - Math.min(1, Math.max(0, left / (item.promiseMinutes * 60_000)))}
      />
      <div className="queue-text">
        <p className="queue-title">
          <Link {...(linkOf(item) as LinkProps)}>{title}</Link>
        </p>
        {reason ? (
          <p className="queue-reason">{reason}</p>
        ) : (
          <p className="queue-detail">{detailOf(item, formatClock(since, now))}</p>
        )}
      </div>
      <span className="queue-due num" data-urgency={urgency}>
        {formatTimeLeft(item.promiseMinutes, since, now)}
      </span>
      {isDone ? (
        <span className="queue-done">
          <Check size={16} aria-hidden="true" /> Done
          {onUndo && state === 'done' && (
            <Button variant="ghost" size="sm" onClick={onUndo}>
              Undo<span className="sr-only">: {title}</span>
            </Button>
          )}
        </span>
      ) : holder && state === 'waiting' && !isLinkOpen ? (
        <HeldBy {...holder} />
      ) : item.kind === 'mailbox' || item.kind === 'received' ? (
        <ButtonLink
          {...(linkOf(item) as LinkProps)}
          size="sm"
          variant={isFirst ? 'primary' : 'line'}
          className="queue-action"
        >
          {actionOf(item)}
          <span className="sr-only">: {title}</span>
        </ButtonLink>
      ) : !may(actionPermission[item.kind]) ? null : (
        <Button
          size="sm"
          variant={isFirst ? 'primary' : 'line'}
          className="queue-action"
          pending={state === 'pending'}
          aria-expanded={item.kind === 'card_link' ? isLinkOpen : undefined}
          onClick={({ currentTarget }) =>
            item.kind === 'card_link' ? setLinkOpen(!isLinkOpen) : onPress(currentTarget)
          }
        >
          {actionOf(item)}
          <span className="sr-only">: {title}</span>
        </Button>
      )}
      {item.kind === 'card_link' && isLinkOpen && !isDone && (
        <QueueLinkForm
          item={item}
          onSent={() => onSent(document.getElementById(rowId)!)}
          onCancel={() => {
            setLinkOpen(false)
            document.getElementById(rowId)?.querySelector<HTMLElement>('.queue-action')?.focus()
          }}
        />
      )}
    </li>
  )
}

/** Returns the names under which administrators report the rows of an entry as open. */
function itemsOf(item: QueueItem): string[] {
  switch (item.kind) {
    case 'payment':
    case 'card_link':
    case 'refund':
      return [`invoice:${item.invoiceId}`]
    case 'report':
      return item.reports.map((id) => `report:${id}`)
    default:
      return [item.key]
  }
}

const inPanel = (tab: string, search: string) => ({ to: '/admin', search: { tab, search } })
/** Returns the link to the list that contains an entry. */
function linkOf(item: QueueItem): object {
  switch (item.kind) {
    case 'line':
      return { to: '/admin/lines', search: { search: `#${item.jobId}` } }
    case 'trial':
      return inPanel('trials', `#${item.requestId}`)
    case 'report':
      return inPanel('reports', item.reports.length > 1 ? item.contentName : `#${item.reports[0]}`)
    case 'inquiry':
      return { to: '/admin/inquiries', search: { search: `#${item.inquiryId}` } }
    case 'ticket':
      return { to: '/admin/tickets/{-$ticketId}', params: { ticketId: String(item.ticketId) } }
    case 'received':
      return { to: '/admin/payments', search: { payment: item.paymentId } }
    case 'mailbox':
      return { to: '/admin/settings', search: { section: 'mailbox' } }
    default:
      return inPanel('invoices', item.invoiceNumber)
  }
}
