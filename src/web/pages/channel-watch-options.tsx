import { useSuspenseQuery } from '@tanstack/react-query'
import { getSite } from '#features/settings/contract.ts'
import { OpenPlayer } from '#features/subscriptions/web/player/open-player.tsx'
import { query } from '../data.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'

/** How a subscriber watches a channel: in the player, or without one on a device that the setup guide explains. */
export function ChannelWatchOptions() {
  const { data: site } = useSuspenseQuery(query(getSite))
  return site.playerUrl ? <OpenPlayer running /> : <ButtonLink to="/setup">Open Setup Guide</ButtonLink>
}
