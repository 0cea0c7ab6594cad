import { clsx } from 'clsx'

interface Props {
  /** The name of the process: "Checkout". */
  label: string
  steps: readonly string[]
  /** Index of the step the customer is on. */
  current: number
  className?: string
}

export function ProgressSteps({ label, steps, current, className }: Props) {
  const percent = Math.round(((current + 1) / steps.length) * 100)
  return (
    <nav aria-label={label} className={className}>
      <p className="mb-2 flex justify-between text-sm font-semibold">
        <span>
          Step {current + 1} of {steps.length}
        </span>
        <span className="num text-fg-2">{percent}%</span>
      </p>
      <progress className="steps-bar" max={100} value={percent} aria-label={`${label} progress`} />
      <ol className="steps">
        {steps.map((step, index) => (
          <li
            key={step}
            aria-current={index === current ? 'step' : undefined}
            className={clsx(index < current && 'text-fg')}
          >
            {step}
          </li>
        ))}
      </ol>
    </nav>
  )
}
