import { EmptyState } from '#web/ui/empty-state.tsx'

interface Props {
  /** Whether a submitted payment is being checked. */
  isBeingChecked: boolean
}

export function NoSubscription({ isBeingChecked }: Props) {
  return (
    <EmptyState title="No Active Subscription">
      {isBeingChecked
        ? 'Your plan starts here as soon as we confirm your payment.'
        : 'Choose a plan below. There is no long-term contract, and every plan has every channel.'}
    </EmptyState>
  )
}
