import { Link } from '@tanstack/react-router'
import { Note } from '#web/ui/note.tsx'
import type { AdminAnnouncement, AnnouncementPreview } from '../admin-contract.ts'
import { durationText, minutesFor } from '../rules.ts'

interface Props {
  announcement: Pick<AdminAnnouncement, 'perHour'>
  preview: AnnouncementPreview
}

const customerCount = (count: number) => (count === 1 ? '1 customer' : `${count.toLocaleString('en-US')} customers`)

/** How many customers get the email, how long that takes, and who gets none. */
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
    unwilling > 0 && `${customerCount(unwilling)} of this group did not turn on news`,
    unconfirmed > 0 && `${customerCount(unconfirmed)} did not confirm the address`,
  ].filter(Boolean)
  return (
    <Note tone={customers === 0 ? 'warn' : 'info'}>
      {customers === 0
        ? 'No customer gets this email.'
        : `${customerCount(customers)} will get this email, within ${durationText(minutesFor(customers, perHour))}.`}
      {others.length > 0 && ` ${others.join(', and ')}.`}
    </Note>
  )
}
