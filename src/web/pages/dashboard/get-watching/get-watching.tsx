import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { getOwnSubscription } from '#features/subscriptions/contract.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { query } from '#web/data.ts'
import { DeviceStep } from './device-step.tsx'
import { LineStep } from './line-step.tsx'
import { LoginStep } from './login-step.tsx'
import { PaymentStep } from './payment-step.tsx'
import { type Stage, stepsDone } from './stage.ts'
import { StepBars } from './step-bars.tsx'
import type { ReadyNotice } from './use-ready-notice.ts'

const heads: Record<Stage, (name: string) => [title: string, lead: string]> = {
  checking: (name) => [`Almost there, ${name}.`, 'We are checking your payment. You can leave this page.'],
  creating: () => ['Your TV login is being created.', 'This usually takes less than a minute.'],
  manual: () => ['Our team has your order.', 'They are creating your TV login. You can leave this page.'],
  ready: (name) => [`You’re in, ${name}.`, 'Your login is ready. Pick a screen and press play.'],
}

/** Guides a customer from payment to watching, with live updates. */
export function GetWatching({ stage, notice }: { stage: Stage; notice: ReadyNotice }) {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: subscription } = useSuspenseQuery(query(getOwnSubscription))
  const { data: line } = useSuspenseQuery(query(getOwnLine))
  const { data: site } = useSuspenseQuery(query(getSite))
  const { payment } = subscription
  if (!user) return null
  const [title, lead] = heads[stage](user.fullName?.split(' ')[0] || user.username)
  return (
    <section className="card mb-5 overflow-hidden" aria-labelledby="get-watching-title">
      <div className="stage flex items-end overflow-hidden justify-between gap-4 bg-bg px-6 pt-6 text-fg max-sm:px-4">
        <div className="pb-6" role="status">
          <h2 id="get-watching-title" className="text-3xl wrap-anywhere max-sm:text-2xl">
            {title}
          </h2>
          <p className="mt-1 text-fg-2">{lead}</p>
        </div>
        {site.brand.mascot && (
          <Mascot tier={3} eyes={3} size={132} mouth={stage === 'ready'} className="-mb-4 shrink-0 max-sm:hidden" />
        )}
      </div>
      <StepBars done={stepsDone[stage]} of={4} />
      <ol className="card-body [&_b]:text-fg">
        <PaymentStep payment={line?.trial ? null : payment} />
        <LineStep stage={stage} line={line} email={user.email} notice={notice} />
        <LoginStep line={line} />
        <DeviceStep ready={stage === 'ready'} />
      </ol>
    </section>
  )
}
