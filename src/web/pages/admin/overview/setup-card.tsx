import type { LinkProps } from '@tanstack/react-router'
import { type Setup, setupSteps } from '#features/desk/admin-overview-contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { SetupBar } from './setup-bar.tsx'
import { setupTexts } from './setup-steps.ts'

/** The next open setup step, beside the queue. */
export function SetupCard({ setup: { done }, onLater }: { setup: Setup; onLater: () => void }) {
  const open = setupSteps.find((step) => !done.includes(step))
  if (!open) return null
  const { title, open: why, action } = setupTexts[open]
  return (
    <section className="card desk-card" aria-labelledby="setup-heading">
      <div className="desk-card-head">
        <h2 id="setup-heading">Setup</h2>
        <span className="num text-fg-2">
          {done.length} of {setupSteps.length}
        </span>
      </div>
      <div className="desk-card-body">
        <SetupBar done={done.length} />
        <p className="mt-3 mb-3.5">
          <b>{title}.</b> <span className="text-fg-2">{why}</span>
        </p>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={action.to as LinkProps['to']} search={action.search as never} variant="line" size="sm">
            {action.label}
          </ButtonLink>
          <Button variant="ghost" size="sm" onClick={onLater}>
            Remind Me Tomorrow
          </Button>
        </div>
      </div>
    </section>
  )
}
