import { DetailLine } from '#web/ui/detail-line.tsx'
import { Note } from '#web/ui/note.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AdminTrialRequest } from '../admin-contract.ts'

/** The read-only details of a request, with other requests of the same customer or mailbox. */
export function AdminTrialDetails({ request }: { request: AdminTrialRequest }) {
  const { user, sameMailbox, related } = request
  return (
    <>
      <dl className="details mt-0!">
        <DetailLine label="User">
          {user.username} <span className="block text-fg-2">{user.email}</span>
        </DetailLine>
        <DetailLine label="Device">{request.device}</DetailLine>
        <DetailLine label="Requested">
          <DateText value={request.requestDate} look="minute" />
        </DetailLine>
        <DetailLine label="Reviewed">
          <DateText value={request.responseDate} look="minute" fallback="Not yet" />
          {request.responseDate && request.adminUsername && (
            <span className="block text-fg-2">by {request.adminUsername}</span>
          )}
        </DetailLine>
        <DetailLine label="Message" wide>
          {request.message}
        </DetailLine>
      </dl>
      {related.length > 0 && (
        <Note tone={sameMailbox.length > 0 ? 'bad' : 'warn'} className="mt-4">
          <p className="font-semibold">
            {sameMailbox.length > 0
              ? `Other accounts with the same mailbox requested a trial: ${sameMailbox.join(', ')}`
              : 'This customer requested a trial before'}
          </p>
          <ul aria-label="Other requests by this customer or mailbox" className="mt-1.5 grid gap-1.5">
            {related.map((other) => (
              <li key={other.id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <StatusBadge status={other.status} />
                <span className="num">#{other.id}</span> {other.username}, <DateText value={other.requestDate} />
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  )
}
