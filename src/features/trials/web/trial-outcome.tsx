import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import type { TrialRequest } from '../contract.ts'
import type { TrialStage } from '../rules.ts'
import { TrialCredentials } from './trial-credentials.tsx'

/** The outcome of a request, at the top of its card. */
export function TrialOutcome({ request, stage }: { request: TrialRequest; stage: TrialStage }) {
  const { expiryDate, adminNotes } = request
  if (stage === 'pending')
    return (
      <Note tone="warn">
        We'll review your request as soon as possible. The answer will appear here, and we'll email it to you.
      </Note>
    )
  if (stage === 'denied')
    return (
      <Note tone="bad">
        <p>We could not approve this request.</p>
        {adminNotes && (
          <>
            <p className="mt-2 font-semibold">Feedback from our team</p>
            <p className="whitespace-pre-line wrap-anywhere">{adminNotes}</p>
          </>
        )}
      </Note>
    )
  if (stage === 'ended' || !expiryDate)
    return (
      <Note
        action={
          <ButtonLink to="/pricing" size="sm">
            View Plans
          </ButtonLink>
        }
      >
        Your trial has ended
        {expiryDate && (
          <>
            {' '}
            on <DateText value={expiryDate} look="minute" />
          </>
        )}
        . We hope you liked what you saw.
      </Note>
    )
  return (
    <>
      <Note tone="ok">
        Your trial is ready. It runs until{' '}
        <b>
          <DateText value={expiryDate} look="minute" />
        </b>{' '}
        (<RelativeTime value={expiryDate} />
        ).
      </Note>
      <TrialCredentials request={request} />
    </>
  )
}
