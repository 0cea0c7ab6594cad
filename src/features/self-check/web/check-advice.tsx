import type { ReactNode } from 'react'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import type { Cause, Verdict } from '../contract.ts'
import { actionFor, stepsFor } from './check-texts.ts'
import { ScreensInUse } from './screens-in-use.tsx'

interface Props {
  verdict: Verdict
  channelId: number | undefined
  onWatch: () => void
  /** The button that opens the report. */
  children: ReactNode
}

/** The causes with which the channel plays, although not as it should. */
const playsAnyway: ReadonlySet<Cause> = new Set(['slow', 'unstable', 'slow_host', 'autoplay', 'frames', 'hidden'])

/** The card with what the customer can do: steps to try, and links. */
export function CheckAdvice({ verdict: { cause, side }, channelId, onWatch, children }: Props) {
  const steps = stepsFor(cause)
  const action = actionFor(cause, side)
  return (
    <section className="card" aria-labelledby="check-advice">
      <div className="card-body">
        <h2 id="check-advice" className="text-xl">
          {steps.length > 1 ? 'Try this, in this order' : 'What you can do'}
        </h2>
        {steps.length > 0 && (
          <ol className="check-steps">
            {steps.map(({ title, text }) => (
              <li key={title}>
                <span>
                  <b>{title}</b>
                  <span>{text}</span>
                </span>
              </li>
            ))}
          </ol>
        )}
        {cause === 'screens' && <ScreensInUse />}
        <div className="mt-5 flex flex-wrap gap-3">
          {playsAnyway.has(cause) && channelId !== undefined && (
            <ButtonLink
              to="/watch/{-$channelId}"
              params={{ channelId: String(channelId) }}
              state={{ play: true } as never}
              onClick={onWatch}
            >
              Watch Now
            </ButtonLink>
          )}
          {action && (
            <ButtonLink to={action.to as never} search={(action.search ?? {}) as never}>
              {action.label}
            </ButtonLink>
          )}
          {children}
        </div>
      </div>
    </section>
  )
}
