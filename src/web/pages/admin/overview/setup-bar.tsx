import { setupSteps } from '#features/desk/admin-overview-contract.ts'

/** How many steps of the setup are done, as a bar of segments. */
export function SetupBar({ done }: { done: number }) {
  return (
    <div className="setup-bar" role="img" aria-label={`${done} of ${setupSteps.length} steps done`}>
      {setupSteps.map((step, index) => (
        <span key={step} data-on={index < done} />
      ))}
    </div>
  )
}
