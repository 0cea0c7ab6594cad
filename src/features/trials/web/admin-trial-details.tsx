import { DateText } from '#web/ui/date-text.tsx'
import { DetailLine } from '#web/ui/detail-line.tsx'
import { Note } from '#web/ui/note.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { AdminTrialRequest } from '../admin-contract.ts'

/** Who asks for what, and what speaks against it. Nothing here can be changed. */
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
              ? `The same mailbox asked from other accounts: ${sameMailbox.join(', ')}`
              : 'This customer asked before'}
          </p>
          <ul aria-label="Other requests of this person or mailbox" className="mt-1.5 grid gap-1.5">
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
