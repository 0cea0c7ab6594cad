import { markName } from '#features/catalog/rules.ts'
import { ChannelMark } from '#web/brand/channel-mark.tsx'

/** The logo of a channel. Decorative, because the name is beside it. */
export function ChannelPicture({ logo }: { logo: string }) {
  const name = markName(logo)
  return name === null ? (
    <img src={logo} alt="" loading="lazy" className="mark mark-picture" />
  ) : (
    <ChannelMark name={name} />
  )
}
