import { useQuery } from '@tanstack/react-query'
import { FileUp, Inbox, type LucideIcon, PencilLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { getMailbox } from '#features/receipts/admin-mailbox-contract.ts'
import type { Output } from '#kit/endpoint.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import type { listPayments } from '../../admin-contract.ts'

interface Props {
  idle: Output<typeof listPayments>['idle']
  /** The button that uploads a statement. */
  upload: ReactNode
  onRecord: (button: HTMLButtonElement) => void
}

/** Shown if there is no payment to decide. Before the first payment, and if no mailbox is connected, it shows the three ways to get payments onto the desk. */
export function NothingToDo({ idle, upload, onRecord }: Props) {
  const hasMailbox = useQuery(query(getMailbox)).data?.state !== 'off'
  if (idle?.hasPayments === false && !hasMailbox)
    return (
      <div className="payment-ways">
        <h2 className="text-lg">How payments get here</h2>
        <Source
          icon={Inbox}
          title="Connect a mailbox"
          text="Emails from Cash App, Venmo and other services are read as they arrive."
        >
          <May needs="settings.edit">
            <ButtonLink to="/admin/settings" search={{ section: 'mailbox' } as never} variant="line" size="sm">
              Connect Mailbox
            </ButtonLink>
          </May>
        </Source>
        <Source
          icon={FileUp}
          title="Upload a statement"
          text="From Cash App, Venmo, PayPal or a bank. You see every row before anything is recorded."
        >
          <May needs="payments.decide">{upload}</May>
        </Source>
        <Source icon={PencilLine} title="Type one in" text="A payment that you see in an app or on paper.">
          <May needs="payments.decide">
            <Button variant="line" size="sm" onClick={({ currentTarget }) => onRecord(currentTarget)}>
              Type In a Payment
            </Button>
          </May>
        </Source>
      </div>
    )
  return (
    <EmptyState>
      Nothing to do.{' '}
      {idle?.confirmedAt ? (
        <>
          The last payment was confirmed <RelativeTime value={idle.confirmedAt} />.
        </>
      ) : (
        'New payments appear here.'
      )}
    </EmptyState>
  )
}

function Source({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: LucideIcon
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <section className="payment-way">
      <Icon size={22} />
      <div>
        <h3 className="text-base">{title}</h3>
        <p>{text}</p>
        {children}
      </div>
    </section>
  )
}
