import { Skeleton } from '#web/ui/skeleton.tsx'

const cards = Array.from({ length: 12 }, (_, index) => index)

/** Twelve placeholder cards in the size of channel cards (specification 2, Channels). */
export function ChannelSkeletons() {
  return (
    <div className="channel-group" role="status">
      <p className="sr-only">Loading channels</p>
      <div className="channel-heading" aria-hidden="true">
        <h2>
          <span className="skeleton">Entertainment</span>
        </h2>
        <span className="channel-all skeleton">See All</span>
      </div>
      <ul className="channels channels-row" aria-hidden="true">
        {cards.map((index) => (
          <li key={index}>
            <div className="channel">
              <Skeleton className="channel-picture" />
              <span className="channel-name">
                <span className="skeleton">A channel</span>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
