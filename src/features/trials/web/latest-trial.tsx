import { useEffect, useRef, useState } from 'react'
import type { Instant } from '#kit/dates.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { TrialRequest } from '../contract.ts'
import { stageAt, type TrialStage } from '../rules.ts'
import { TrialOutcome } from './trial-outcome.tsx'

const questions: Record<TrialStage, string> = {
  pending: 'Anything to add or change? Contact our support team.',
  running: 'Is something not working? Contact our support team.',
  ended: 'Would you like a new trial? Contact our support team.',
  denied: 'Would you like a new trial? Contact our support team.',
}

interface Props {
  request: TrialRequest
  /** Whether the request was just sent from this page. If so, the card confirms it and takes the focus. */
  justSent: boolean
  offersSupport: boolean
}

/** The latest trial request and its outcome. */
export function LatestTrial({ request, justSent, offersSupport }: Props) {
  const card = useRef<HTMLElement>(null)
  useRenderAt(request.expiryDate)
  useEffect(() => {
    if (justSent) card.current?.focus()
  }, [justSent])
  const stage = stageAt(request, new Date())
  const isConfirmation = justSent && stage === 'pending'

  return (
    <Card
      ref={card}
      tabIndex={-1}
      title={isConfirmation ? 'Trial Request Submitted' : 'Your Trial Request'}
      titleId="trial-title"
      aside={<StatusBadge status={stage === 'ended' ? 'expired' : request.status} />}
      footer={
        offersSupport && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-fg-2">{questions[stage]}</p>
            <ButtonLink to="/contact" variant="line">
              Contact Support
            </ButtonLink>
          </div>
        )
      }
    >
      <div className="grid gap-5.5">
        <TrialOutcome request={request} stage={stage} />
        <dl className="grid gap-4 sm:grid-cols-3 [&_dd]:font-semibold [&_dd]:wrap-anywhere [&_dt]:text-sm [&_dt]:text-fg-2">
          <div>
            <dt>Requested on</dt>
            <dd>
              <DateText value={request.requestDate} />
            </dd>
          </div>
          {request.responseDate && (
            <div>
              <dt>Reviewed on</dt>
              <dd>
                <DateText value={request.responseDate} />
              </dd>
            </div>
          )}
          <div>
            <dt>Device</dt>
            <dd>{request.device}</dd>
          </div>
          <div className="sm:col-span-3">
            <dt>Message</dt>
            <dd className="font-normal! whitespace-pre-line">{request.message}</dd>
          </div>
        </dl>
      </div>
    </Card>
  )
}

// With a longer delay the timer would overflow and fire immediately.
const maxDelayMs = 2_147_483_647
/** Renders again at `moment`, so that a page left open hides the credentials when the trial ends. */
function useRenderAt(moment: Instant | null): void {
  const [, setRenderCount] = useState(0)
  useEffect(() => {
    const waitMs = moment === null ? 0 : Date.parse(moment) - Date.now()
    if (waitMs <= 0 || waitMs > maxDelayMs) return
    const timer = setTimeout(() => setRenderCount((count) => count + 1), waitMs)
    return () => clearTimeout(timer)
  }, [moment])
}
