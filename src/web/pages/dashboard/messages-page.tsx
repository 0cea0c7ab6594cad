import { Link, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { pagePart } from '../../ui/hydration/page-part.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AccountFrame } from './account-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const OwnThread = pagePart(() => import('#features/tickets/web/own-thread.tsx'), 'OwnThread')
const OwnTicketList = pagePart(() => import('#features/tickets/web/own-ticket-list.tsx'), 'OwnTicketList')
const OwnAnnouncements = pagePart(() => import('#features/announcements/web/own-announcements.tsx'), 'OwnAnnouncements')
const NewsCard = pagePart(() => import('#features/announcements/web/news-card.tsx'), 'NewsCard')

/** /messages: a customer's conversations with the operator, and the operator's announcements. With a ticket id, it shows that conversation. */
export function MessagesPage() {
  const { ticketId } = useParams({ strict: false })
  return (
    <AccountFrame title="Messages" lead="What you wrote to us, and our answers.">
      <div className="max-w-[48rem]">
        <Suspense fallback={<Skeleton className="h-40" />}>
          {ticketId === undefined ? (
            <>
              <OwnTicketList />
              <OwnAnnouncements />
              <NewsCard />
            </>
          ) : (
            <>
              <p className="mb-3">
                <Link to="/messages/{-$ticketId}" params={{ ticketId: undefined }} className="link">
                  All messages
                </Link>
              </p>
              <OwnThread key={ticketId} ticketId={ticketId} />
            </>
          )}
        </Suspense>
      </div>
    </AccountFrame>
  )
}
