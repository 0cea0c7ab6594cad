import { ButtonLink } from '../../ui/button-link.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

export function WatchlistPanel() {
  return (
    <Card title="Watchlist" titleId="watchlist-title">
      <EmptyState action={<ButtonLink to="/channels">Browse Channels</ButtonLink>}>Your watchlist is empty. Have a look around the channels.</EmptyState>
    </Card>
  )
}
