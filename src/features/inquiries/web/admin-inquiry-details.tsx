import { useQuery } from '@tanstack/react-query'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { DetailLine } from '#web/ui/detail-line.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AdminInquiry } from '../admin-contract.ts'
import { replyUrl } from '../rules.ts'

/** The inquiry, read-only, with a link to reply by email. */
export function AdminInquiryDetails({ inquiry }: { inquiry: AdminInquiry }) {
  const { data: site } = useQuery(query(getSite))
  return (
    <>
      <dl className="details mt-0!">
        <DetailLine label="Email">{inquiry.email}</DetailLine>
        <DetailLine label="Received">
          <DateText value={inquiry.createdAt} look="minute" />
        </DetailLine>
        <DetailLine label="Plan">{inquiry.planName ?? 'No particular plan'}</DetailLine>
        <DetailLine label="Newsletter">{inquiry.newsletterOpt ? 'Wants the newsletter' : 'No'}</DetailLine>
        {inquiry.answeredAt && (
          <DetailLine label="Answered">
            <DateText value={inquiry.answeredAt} look="minute" />
          </DetailLine>
        )}
        <DetailLine label="Message" wide>
          {inquiry.message}
        </DetailLine>
      </dl>
      <p className="mt-4">
        <ButtonAnchor variant="soft" href={replyUrl(inquiry, site?.brand.name ?? '')}>
          Reply by Email
        </ButtonAnchor>
      </p>
    </>
  )
}
