import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { getSite } from '#features/settings/contract.ts'
import { getWatch } from '#features/watch/contract.ts'
import { query } from '#web/data.ts'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'

/**
 * Opens the configured player. It is shown even when the subscription has ended, but renewing is then the primary action. If channels can be watched on
 * this site, a link to them is beside it, or in its place if no player is configured. Renders nothing if there is neither.
 */
export function OpenPlayer({ running }: { running: boolean }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: watch } = useQuery(query(getWatch))
  const plays = watch !== undefined && watch.channels.length > 0
  const variant = running ? undefined : 'line'
  return (
    <>
      {site.playerUrl && (
        <ButtonAnchor href={site.playerUrl} target="_blank" rel="noopener noreferrer" variant={variant}>
          <Play size={18} />
          Open Player<span className="sr-only"> (opens in a new tab)</span>
        </ButtonAnchor>
      )}
      {plays && (
        <ButtonLink to={'/watch' as never} variant={site.playerUrl ? 'line' : variant}>
          <Play size={18} />
          {site.playerUrl ? 'Watch Here' : 'Open Player'}
        </ButtonLink>
      )}
    </>
  )
}
