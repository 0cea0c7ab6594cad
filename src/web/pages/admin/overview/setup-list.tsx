import type { LinkProps } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { type Setup, type SetupStep, setupSteps } from '#features/desk/admin-overview-contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SetupBar } from './setup-bar.tsx'
import { SetupFields } from './setup-fields.tsx'
import { setupTexts } from './setup-steps.ts'

const MailServerSetup = lazy(() =>
  import('#features/settings/web/own-panels.ts').then((module) => ({ default: module.MailServerSetup })),
)
/** The steps that are edited in place. */
const fieldsOf: Partial<Record<SetupStep, ComponentType>> = { mail: MailServerSetup, payments: SetupFields }

/** All setup steps, with the first open one expanded. Shown on an installation without orders. */
export function SetupList({ setup: { done }, onLater }: { setup: Setup; onLater: () => void }) {
  const left = setupSteps.filter((step) => !done.includes(step))
  const [unfolded, setUnfolded] = useState<SetupStep>()
  const minutes = left.reduce((sum, step) => sum + setupTexts[step].minutes, 0)
  return (
    <section className="card desk-card" aria-labelledby="setup-heading">
      <div className="desk-card-head">
        <h2 id="setup-heading">Get ready to sell</h2>
        <span className="num text-fg-2">
          {done.length} of {setupSteps.length} done, about {minutes} minutes left
        </span>
      </div>
      <div className="desk-card-body">
        <SetupBar done={done.length} />
      </div>
      <ol className="setup-list">
        {setupSteps.map((step, index) => (
          <SetupStepRow
            key={step}
            step={step}
            number={index + 1}
            isDone={done.includes(step)}
            isNext={step === left[0]}
            isUnfolded={step === (unfolded && left.includes(unfolded) ? unfolded : left[0])}
            hasFocus={step === unfolded}
            onUnfold={() => setUnfolded(step)}
          />
        ))}
      </ol>
      <div className="desk-card-foot">
        <span>This list disappears when all five are done.</span>
        <Button variant="ghost" size="sm" onClick={onLater}>
          Remind Me Tomorrow
        </Button>
      </div>
    </section>
  )
}

const takeFocus = (element: HTMLElement | null) => element?.focus()

interface RowProps {
  step: SetupStep
  number: number
  isDone: boolean
  /** The first open step. */
  isNext: boolean
  /** Whether the step shows its fields, if it has any. */
  isUnfolded: boolean
  /** Whether the fields of the step take the focus, because the button that unfolded them disappears. */
  hasFocus: boolean
  onUnfold: () => void
}
function SetupStepRow({ step, number, isDone, isNext, isUnfolded, hasFocus, onUnfold }: RowProps) {
  const { title, open, done, action, minutes } = setupTexts[step]
  const Fields = isDone ? undefined : fieldsOf[step]
  const variant = isDone ? 'ghost' : isNext ? 'primary' : 'line'
  return (
    <li data-state={isDone ? 'done' : isNext ? 'open' : 'later'}>
      <div className="setup-step">
        <span className="setup-tick" aria-hidden="true">
          {isDone ? <Check size={16} /> : number}
        </span>
        <div>
          <h3>
            {title}
            {isDone && <span className="sr-only">, done</span>}
          </h3>
          <p>{isDone ? done : `${open} ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`}</p>
        </div>
        {!Fields ? (
          <ButtonLink to={action.to as LinkProps['to']} search={action.search as never} variant={variant} size="sm">
            {isDone ? 'Change' : action.label}
            {isDone && <span className="sr-only"> {title}</span>}
          </ButtonLink>
        ) : (
          !isUnfolded && (
            <Button variant={variant} size="sm" aria-expanded={false} onClick={onUnfold}>
              {action.label}
            </Button>
          )
        )}
      </div>
      {Fields && isUnfolded && (
        <div className="setup-body" tabIndex={-1} ref={hasFocus ? takeFocus : undefined}>
          <Suspense fallback={<Skeleton className="h-40" />}>
            <Fields />
          </Suspense>
        </div>
      )}
    </li>
  )
}
