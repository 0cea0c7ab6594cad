import { setupSteps } from '#features/desk/admin-overview-contract.ts'

/** A segmented bar that shows how many setup steps are done. */
export function SetupBar({ done }: { done: number }) {
  return (
    <div className="setup-bar" role="img" aria-label={`${done} of ${setupSteps.length} steps done`}>
      {setupSteps.map((step, index) => (
        <span key={step} data-on={index < done} />
      ))}
    </div>
  )
}
