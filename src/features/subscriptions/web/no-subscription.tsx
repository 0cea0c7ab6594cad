import { EmptyState } from '#web/ui/empty-state.tsx'

export function NoSubscription() {
  return (
    <EmptyState title="No Active Subscription">
      Choose a plan below. There is no long-term contract, and every plan has every channel.
    </EmptyState>
  )
}
