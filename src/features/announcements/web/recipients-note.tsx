import { Link } from '@tanstack/react-router'
import { Note } from '#web/ui/note.tsx'
import type { AdminAnnouncement, AnnouncementPreview } from '../admin-contract.ts'
import { durationText, minutesFor } from '../rules.ts'

interface Props {
  announcement: Pick<AdminAnnouncement, 'perHour'>
  preview: AnnouncementPreview
}

const customerCount = (count: number) => (count === 1 ? '1 customer' : `${count.toLocaleString('en-US')} customers`)

/** Shows how many customers get the email, how long sending takes, and how many customers get no email and why. */
export function RecipientsNote({ announcement: { perHour }, preview }: Props) {
  const { customers, unwilling, unconfirmed, from } = preview
  if (from === null)
    return (
      <Note
        tone="warn"
        action={
          <Link to="/admin/settings" search={{ section: 'mailServer' } as never} className="link">
            Mail Server
          </Link>
        }
      >
        No mail server is set up, so no email can be sent.
      </Note>
    )
  const others = [
    unwilling > 0 && `${customerCount(unwilling)} in this audience did not turn on news emails`,
    unconfirmed > 0 && `${customerCount(unconfirmed)} did not confirm their email address`,
  ].filter(Boolean)
  return (
    <Note tone={customers === 0 ? 'warn' : 'info'}>
      {customers === 0
        ? 'No customer will get this email.'
        : `${customerCount(customers)} will get this email, within ${durationText(minutesFor(customers, perHour))}.`}
      {others.length > 0 && ` ${others.join(', and ')}.`}
    </Note>
  )
}
