import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listChannels } from '#features/catalog/contract.ts'
import { channelCategories } from '#features/catalog/rules.ts'
import type { Site } from '#features/settings/contract.ts'
import { markName } from '#kit/mark-logo.ts'
import { ChannelMark } from '../../brand/channel-mark.tsx'
import { query } from '../../data.ts'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { SectionHead } from '../../ui/section-head.tsx'

const shown = 12

/** A sample of the lineup, with featured channels first. The catalog provides the number of channels and categories. */
export function ChannelsSection({ claims }: { claims: Site['claims'] }) {
  const { data: channels } = useSuspenseQuery(query(listChannels))
  const featured = [
    ...channels.filter((channel) => channel.featured),
    ...channels.filter((channel) => !channel.featured),
  ].slice(0, shown)
  const categories = channelCategories.filter(({ id }) => channels.some((channel) => channel.category === id)).length
  return (
    <section className="section bg-sunken" id="channels" aria-labelledby="channels-title">
      <div className="wrap">
        <SectionHead
          id="channels-title"
          title="Channels for every evening"
          lead={`${featured[0] ? `${channels.length} sample channels in ${categories} categories to explore now; over` : 'Over'} ${claims.liveChannels.replace(/\+$/, '')} with a subscription.`}
          action={
            <ButtonLink to="/channels" variant="line">
              Explore Channels
            </ButtonLink>
          }
        />
        {featured[0] && (
          <ul className="marks-strip">
            {featured.map((channel) => (
              <li key={channel.id}>
                <Link to="/channels" search={{ category: channel.category }}>
                  <ChannelMark name={markName(channel.logo) ?? channel.name} />
                  <span>{channel.name}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
