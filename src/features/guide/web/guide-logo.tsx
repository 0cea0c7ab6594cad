import { markName } from '#features/catalog/rules.ts'
import { ChannelMark } from '#web/brand/channel-mark.tsx'

/** The logo of a channel, or the mark generated from its name. Decorative, since the name is shown beside it. */
export function GuideLogo({ logo }: { logo: string }) {
  const name = markName(logo)
  return name === null ? (
    <img src={logo} alt="" loading="lazy" className="mark mark-picture" />
  ) : (
    <ChannelMark name={name} />
  )
}
