import { Skeleton } from '#web/ui/skeleton.tsx'

const places = Array.from({ length: 12 }, (_, place) => place)

/** Twelve cards that have not come yet, in the size of real ones (specification 2, Channels). */
export function ChannelSkeletons() {
  return (
    <div className="channel-group" role="status">
      <p className="sr-only">Loading channels</p>
      <div className="channel-heading" aria-hidden="true">
        <span className="skeleton">Entertainment</span>
      </div>
      <ul className="channels" aria-hidden="true">
        {places.map((place) => (
          <li key={place}>
            <div className="channel">
              <Skeleton className="mark" />
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
