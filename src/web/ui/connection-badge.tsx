import { Badge } from './badge.tsx'

/** How many devices at once; the fuller the badge, the more (specification 2, Pricing). */
export function ConnectionBadge({ count }: { count: number }) {
  return (
    <Badge variant={count >= 4 ? 'solid' : count === 3 ? 'neutral' : 'outline'}>
      {count} {count === 1 ? 'Connection' : 'Connections'}
    </Badge>
  )
}
