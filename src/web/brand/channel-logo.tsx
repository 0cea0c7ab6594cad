import { clsx } from 'clsx'
import { markName } from '#kit/mark-logo.ts'
import { ChannelMark } from './channel-mark.tsx'

interface Props {
  logo: string
  className?: string | undefined
}

/** The image of a channel, or the mark generated from its name. Decorative, since the name is shown beside it. */
export function ChannelLogo({ logo, className }: Props) {
  const name = markName(logo)
  if (name !== null) return <ChannelMark name={name} className={className} />
  return <img src={logo} alt="" loading="lazy" className={clsx('mark mark-picture', className)} />
}
