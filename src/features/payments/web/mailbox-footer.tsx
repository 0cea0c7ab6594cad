import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { format } from 'date-fns'
import { lazy, Suspense } from 'react'
import { getMailbox, type MailboxStatus, maxEmailsToReview } from '#features/receipts/admin-mailbox-contract.ts'
import { listPaymentEvents } from '#features/receipts/admin-processor-contract.ts'
import type { MailboxState } from '#features/receipts/mailbox-rules.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'

const PaymentEmailsDialog = lazy(() =>
  import('./payment-emails-dialog.tsx').then((module) => ({ default: module.PaymentEmailsDialog })),
)
const dotClasses: Record<MailboxState, string> = {
  off: '',
  starting: 'dot-warn',
  ok: 'dot-ok',
  failing: 'dot-warn',
  silent: 'dot-bad',
  paused: 'dot-bad',
}
const pollMs = 15_000
const buttonId = 'payment-emails-button'
const settings = { to: '/admin/settings', search: { section: 'mailbox' } as never } as const

/** Shows the state of the mailbox of payment emails, and how many emails and events an administrator has to review. */
export function MailboxFooter() {
  const { data } = useQuery({ ...query(getMailbox), refetchInterval: pollMs, refetchOnMount: 'always' })
  const { data: events } = useQuery({ ...query(listPaymentEvents), refetchOnMount: 'always' })
  const [opened, open] = useOpenDialog<true>(buttonId)
  if (!data) return null
  const toReview = data.toReview + (events?.length ?? 0)
  const isWorking = data.state === 'ok' || data.state === 'starting'
  return (
    <div className="mailbox-foot">
      <span className={clsx('dot', data.quietSince ? 'dot-warn' : dotClasses[data.state])} aria-hidden="true" />
      <p className="mailbox-text">
        <b>{stateText(data)}</b>
        {data.state !== 'off' && <span>{detailText(data)}</span>}
      </p>
      {toReview > 0 && (
        <Button id={buttonId} variant="line" size="sm" onClick={({ currentTarget }) => open(true, currentTarget)}>
          {toReview >= maxEmailsToReview ? `${maxEmailsToReview}+` : toReview} to review
        </Button>
      )}
      {!isWorking && (
        <ButtonLink {...settings} variant="line" size="sm">
          {data.state === 'off' ? 'Set Up' : 'Open Settings'}
        </ButtonLink>
      )}
      <Suspense>
        {opened && <PaymentEmailsDialog key={`emails-${opened.openCount}`} returnTo={opened.returnTo} />}
      </Suspense>
    </div>
  )
}

/** Returns the account, its problem, or that no payment email has arrived for an unusually long time. */
function detailText({ state, username, message, quietSince }: MailboxStatus): string {
  if (quietSince) return `No payment email since ${format(new Date(quietSince), 'MMM d, h:mm a')}, which is unusual`
  return state === 'ok' || state === 'starting' ? username : (message ?? username)
}

function stateText({ state, checkedAt, since, now }: MailboxStatus): string {
  const from = since ? ` since ${format(new Date(since), 'MMM d, h:mm a')}` : ''
  switch (state) {
    case 'off':
      return 'Mailbox: not set up'
    case 'starting':
      return 'Mailbox: connecting'
    case 'ok':
      return `Mailbox: checked ${timeSince(checkedAt!, now)}`
    case 'failing':
      return `Mailbox: failing${from}, trying again`
    case 'silent':
      return `Mailbox: not checked${from}`
    case 'paused':
      return `Mailbox: paused, login refused${from}`
  }
}

function timeSince(at: string, now: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(at)) / 1000))
  return seconds < 90 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`
}
