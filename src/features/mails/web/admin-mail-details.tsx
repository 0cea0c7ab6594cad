import { DetailLine } from '#web/ui/detail-line.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { MailDetail } from '../admin-contract.ts'

/** Delivery details of an email. */
export function AdminMailDetails({ mail }: { mail: MailDetail }) {
  return (
    <dl className="details">
      <DetailLine label="Status">
        <StatusBadge status={mail.status} />
      </DetailLine>
      <DetailLine label="Recipient">
        {mail.recipient} {mail.username && <span className="block text-fg-2">{mail.username}</span>}
      </DetailLine>
      <DetailLine label="Created">
        <DateText value={mail.createdAt} look="minute" />
      </DetailLine>
      {mail.sentAt && (
        <DetailLine label="Sent">
          <DateText value={mail.sentAt} look="minute" />
        </DetailLine>
      )}
      {mail.status === 'queued' && (
        <DetailLine label="Next attempt">
          <DateText value={mail.dueAt} look="minute" />
        </DetailLine>
      )}
      <DetailLine label="Attempts">
        <span className="num">{mail.attempts}</span>
      </DetailLine>
      {mail.attachment && <DetailLine label="Attachment">{mail.attachment}</DetailLine>}
      {mail.subject !== null && (
        <DetailLine label="Subject" wide>
          {mail.subject}
        </DetailLine>
      )}
      {mail.lastError && (
        <DetailLine label="Last error" wide>
          {mail.lastError}
        </DetailLine>
      )}
    </dl>
  )
}
