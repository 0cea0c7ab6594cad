import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import type { Channel } from '#features/catalog/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { OpenPlayer } from '#features/subscriptions/web/player/open-player.tsx'
import { getWatch } from '#features/watch/contract.ts'
import { query } from '../data.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'

/** The button with which a subscriber can watch a channel: on this site, in the configured player, or, if there is neither, with the setup guide. */
export function ChannelWatchOptions({ channel }: { channel: Channel }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: watch } = useQuery({ ...query(getWatch), enabled: site.watching })
  if (watch?.channels.some(({ id, blocked }) => id === channel.id && blocked === null))
    return (
      <ButtonLink
        to={'/watch/{-$channelId}' as never}
        params={{ channelId: String(channel.id) } as never}
        state={{ play: true } as never}
      >
        <Play size={18} />
        Watch
      </ButtonLink>
    )
  return site.playerUrl || site.watching ? (
    <OpenPlayer running />
  ) : (
    <ButtonLink to="/setup">Open Setup Guide</ButtonLink>
  )
}
