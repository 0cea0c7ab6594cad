import { Badge } from '#web/ui/badge.tsx'

/** The number of connections. More connections get a stronger badge style (specification 2, Pricing). */
export function ConnectionBadge({ count }: { count: number }) {
  return (
    <Badge variant={count >= 4 ? 'solid' : count === 3 ? 'neutral' : 'outline'}>
      {count} {count === 1 ? 'Connection' : 'Connections'}
    </Badge>
  )
}
