import type { PlanChangeQuote } from '#features/billing/contract.ts'
import { Money } from '#web/ui/money.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { RetryNote } from '../retry-note.tsx'

interface Props {
  quote: PlanChangeQuote | undefined
  error: Error | null
  pending: boolean
  onRetry: () => void
}

/** The price of the plan change and the server's explanation. */
export function ChangePlanCost({ quote, error, pending, onRetry }: Props) {
  if (!quote && error)
    return (
      <RetryNote
        text="The price of this change could not be calculated."
        error={error}
        pending={pending}
        onRetry={onRetry}
      />
    )
  return (
    <div role="status" className="min-h-32 rounded-md border bg-surface-2 px-4 py-3.5">
      {quote ? (
        <>
          <p className="flex items-baseline justify-between gap-4 font-semibold">
            {quote.credit > 0 ? 'Becomes account credit' : 'To pay for this change'}
            <Money cents={quote.credit > 0 ? quote.credit : quote.charge} className="display text-2xl" />
          </p>
          <p className="mt-1.5 text-15 text-fg-2">{quote.explanation}</p>
        </>
      ) : (
        <>
          <span className="sr-only">Calculating the price</span>
          <Skeleton className="h-8" />
          <Skeleton className="mt-3 h-5" />
          <Skeleton className="mt-2 h-5 w-2/3" />
        </>
      )}
    </div>
  )
}
