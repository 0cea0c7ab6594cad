import { clsx } from 'clsx'
import { ChannelMark } from '#web/brand/channel-mark.tsx'
import type { Channel } from '../../contract.ts'
import { markName } from '../../rules.ts'

/** The image of a channel, or the mark generated from its name. Decorative, since the name is shown beside it. */
export function ChannelLogo({ channel, className }: { channel: Pick<Channel, 'logo'>; className?: string }) {
  const name = markName(channel.logo)
  if (name !== null) return <ChannelMark name={name} className={className} />
  return <img src={channel.logo} alt="" loading="lazy" className={clsx('mark mark-picture', className)} />
}
