import { useSuspenseQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'

/**
 * A link to the player: the player of this site if channels can be watched here, otherwise the configured player. It is shown even if the
 * subscription has ended, but then renewing is the primary action. Renders nothing if there is no player.
 */
export function OpenPlayer({ running }: { running: boolean }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const variant = running ? undefined : 'line'
  if (site.watching)
    return (
      <ButtonLink to={'/watch' as never} variant={variant}>
        <Play size={18} className="fill-current" />
        Open Player
      </ButtonLink>
    )
  if (!site.playerUrl) return null
  return (
    <ButtonAnchor href={site.playerUrl} target="_blank" rel="noopener noreferrer" variant={variant}>
      <Play size={18} className="fill-current" />
      Open Player<span className="sr-only"> (opens in a new tab)</span>
    </ButtonAnchor>
  )
}
