import { useSuspenseQuery } from '@tanstack/react-query'
import { getSite } from '#features/settings/contract.ts'
import { OpenPlayer } from '#features/subscriptions/web/player/open-player.tsx'
import { query } from '../data.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'

/** How a subscriber can watch a channel: a link to the web player or, if none is configured, to the setup guide. */
export function ChannelWatchOptions() {
  const { data: site } = useSuspenseQuery(query(getSite))
  return site.playerUrl ? <OpenPlayer running /> : <ButtonLink to="/setup">Open Setup Guide</ButtonLink>
}
