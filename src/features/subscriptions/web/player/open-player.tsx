import { useSuspenseQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'

/** Opens the configured player, also when the subscription has ended: then renewing is the primary action. Renders nothing without a player. */
export function OpenPlayer({ running }: { running: boolean }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  if (!site.playerUrl) return null
  return (
    <ButtonAnchor
      href={site.playerUrl}
      target="_blank"
      rel="noopener noreferrer"
      variant={running ? undefined : 'line'}
    >
      <Play size={18} />
      Open Player<span className="sr-only"> (opens in a new tab)</span>
    </ButtonAnchor>
  )
}
