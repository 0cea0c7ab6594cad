import { useQuery } from '@tanstack/react-query'
import { format } from 'date-fns'
import { useState } from 'react'
import {
  getMailbox,
  listPaymentEmails,
  type PaymentEmail,
  readPaymentEmailAgain,
  reviewPaymentEmail,
} from '#features/receipts/admin-mailbox-contract.ts'
import { listPaymentEvents } from '#features/receipts/admin-processor-contract.ts'
import { authText, mailReason } from '#features/receipts/mailbox-rules.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { listPayments } from '../admin-contract.ts'
import { moneyText } from '../rules.ts'
import { EventEntry } from './event-entry.tsx'

/** Lists the emails and events that an administrator has to review, with the reason. Open on first render; give it a new key for each opening. */
export function PaymentEmailsDialog({ returnTo }: { returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const emails = useQuery({ ...query(listPaymentEmails), refetchOnMount: 'always' })
  const events = useQuery({ ...query(listPaymentEvents), refetchOnMount: 'always' })
  const error = emails.error ?? events.error
  const isLoaded = emails.data && events.data
  const again = () => {
    void emails.refetch()
    void events.refetch()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Messages to Review"
      description="These emails and events of payment services were not recorded as payments, or take money back."
      size="form"
      returnTo={returnTo}
      footer={
        <Button variant="line" onClick={() => setOpen(false)}>
          Close
        </Button>
      }
    >
      {error && !isLoaded ? (
        <ErrorState title="The messages could not be loaded" message={messageOf(error)} onRetry={again} />
      ) : !isLoaded ? (
        <p className="payment-loading">
          <Spinner /> Loading messages…
        </p>
      ) : emails.data.length + events.data.length === 0 ? (
        <EmptyState>There is nothing left to review.</EmptyState>
      ) : (
        <ul className="grid gap-3">
          {events.data.map((event) => (
            <EventEntry key={`event-${event.id}`} event={event} />
          ))}
          {emails.data.map((email) => (
            <EmailEntry key={email.id} email={email} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

const lists = [listPaymentEmails, getMailbox, listPayments]
function EmailEntry({ email }: { email: PaymentEmail }) {
  const review = useSend(reviewPaymentEmail, lists)
  const again = useSend(readPaymentEmailAgain, lists)
  const params = { emailId: email.id }
  const failed = (error: Error) =>
    toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })
  const subject = email.subject || 'No subject'
  const readAgain = () =>
    again.mutate(
      { params },
      {
        onError: failed,
        onSuccess: ({ payments, reason }) => {
          const amounts = payments.map(({ amount, currency }) => moneyText(amount, currency)).join(', ')
          if (payments.length > 0) toast({ title: 'Payment found', description: `${amounts} is on the desk now.` })
          else toast({ title: 'Still not a payment', description: mailReason(reason ?? 'other_mail') })
        },
      },
    )
  return (
    <li className="mailbox-email">
      <p className="font-semibold">{subject}</p>
      <p className="text-sm text-fg-2">
        {email.sender}, {format(new Date(email.receivedAt), 'MMM d, yyyy, h:mm a')}
      </p>
      <p className="text-sm">{mailReason(email.reason ?? '')}</p>
      {email.outcome !== 'unreadable' && <p className="text-sm text-fg-2">{authText(email.auth, email.signedBy)}.</p>}
      <div className="flex flex-wrap gap-2 pt-1">
        {email.canReadAgain && (
          <Button size="sm" variant="line" pending={again.isPending} onClick={readAgain}>
            Read Again<span className="sr-only">: {subject}</span>
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          pending={review.isPending}
          onClick={() =>
            review.mutate(
              { params },
              { onError: failed, onSuccess: () => announce('The email was removed from the list.') },
            )
          }
        >
          Done<span className="sr-only">: {subject}</span>
        </Button>
      </div>
    </li>
  )
}
