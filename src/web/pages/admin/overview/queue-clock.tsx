import {
  Banknote,
  Cable,
  CreditCard,
  Flag,
  HandCoins,
  Hourglass,
  MailWarning,
  MessageSquare,
  Undo2,
} from 'lucide-react'
import type { QueueKind } from '#features/desk/queue-rules.ts'
import type { Urgency } from '#features/desk/rules.ts'

const icons = {
  payment: Banknote,
  card_link: CreditCard,
  line: Cable,
  trial: Hourglass,
  report: Flag,
  inquiry: MessageSquare,
  ticket: MessageSquare,
  refund: Undo2,
  received: HandCoins,
  mailbox: MailWarning,
} satisfies Record<QueueKind, unknown>

const radius = 17
const length = 2 * Math.PI * radius

interface Props {
  kind: QueueKind
  urgency: Urgency
  /** The part of the promised time that has passed, from 0 to 1. */
  share: number
}

/** The icon of a kind with a ring that fills while the promised time passes. Decorative: the text beside it states the time left. */
export function QueueClock({ kind, urgency, share }: Props) {
  const Icon = icons[kind]
  return (
    <span className="queue-clock" data-urgency={urgency} aria-hidden="true">
      <svg viewBox="0 0 38 38" aria-hidden="true">
        <circle className="queue-clock-track" cx="19" cy="19" r={radius} />
        <circle
          className="queue-clock-arc"
          cx="19"
          cy="19"
          r={radius}
          transform="rotate(-90 19 19)"
          strokeDasharray={`${(share * length).toFixed(1)} ${length.toFixed(1)}`}
        />
      </svg>
      <Icon size={17} />
    </span>
  )
}
