import type { LinkProps } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type Setup, type SetupStep, setupSteps } from '#features/desk/admin-overview-contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { SetupBar } from './setup-bar.tsx'
import { SetupFields } from './setup-fields.tsx'
import { setupTexts } from './setup-steps.ts'

/** All setup steps, with the first open one expanded. Shown on an installation without orders. */
export function SetupList({ setup: { done }, onLater }: { setup: Setup; onLater: () => void }) {
  const open = setupSteps.find((step) => !done.includes(step))
  return (
    <section className="card desk-card" aria-labelledby="setup-heading">
      <div className="desk-card-head">
        <h2 id="setup-heading">Get ready to sell</h2>
        <span className="num text-fg-2">
          {done.length} of {setupSteps.length} done
        </span>
      </div>
      <div className="desk-card-body">
        <SetupBar done={done.length} />
      </div>
      <ol className="setup-list">
        {setupSteps.map((step, index) => (
          <SetupStepRow key={step} step={step} number={index + 1} isDone={done.includes(step)} isOpen={step === open} />
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

interface RowProps {
  step: SetupStep
  number: number
  isDone: boolean
  /** The first open step, which shows its fields. */
  isOpen: boolean
}
function SetupStepRow({ step, number, isDone, isOpen }: RowProps) {
  const { title, open, done, action } = setupTexts[step]
  const hasFields = isOpen && step === 'payments'
  return (
    <li data-state={isDone ? 'done' : isOpen ? 'open' : 'later'}>
      <div className="setup-step">
        <span className="setup-tick" aria-hidden="true">
          {isDone ? <Check size={16} /> : number}
        </span>
        <div className="min-w-0 flex-1">
          <h3>
            {title}
            {isDone && <span className="sr-only">, done</span>}
          </h3>
          <p>{isDone ? done : open}</p>
        </div>
        {action && !hasFields && (
          <ButtonLink
            to={action.to as LinkProps['to']}
            search={action.search as never}
            variant={isDone ? 'ghost' : isOpen ? 'primary' : 'line'}
            size="sm"
          >
            {isDone ? 'Change' : action.label}
            {isDone && <span className="sr-only"> {title}</span>}
          </ButtonLink>
        )}
      </div>
      {hasFields && (
        <div className="setup-body">
          <SetupFields />
        </div>
      )}
      {isOpen && step === 'mail' && (
        <div className="setup-body">
          <MailHint />
        </div>
      )}
    </li>
  )
}

function MailHint() {
  return (
    <>
      <p>
        Set <code>SMTP_URL</code> and <code>MAIL_FROM</code> in the environment of the server, then restart it:
      </p>
      <pre className="setup-code" tabIndex={0}>
        SMTP_URL=smtp://user:password@mail.example:587{'\n'}MAIL_FROM=hello@your-domain.example
      </pre>
    </>
  )
}
