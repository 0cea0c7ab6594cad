import { useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { listWatchProgress, type WatchProgress } from '#features/watch-progress/contract.ts'
import { leftText } from '#features/watch-progress/rules.ts'
import { query } from '../../data.ts'

interface Props {
  onChoose: (recording: WatchProgress) => void
}
/** The maximum number of recordings. More would push the channels far down. */
const maxShown = 6

/** The most recently watched recordings to continue, above the channels of a TV. Renders nothing if there are none. */
export function TvContinue({ onChoose }: Props) {
  const { data } = useQuery({ ...query(listWatchProgress), refetchOnMount: 'always' })
  if (!data || data.items.length === 0) return null
  return (
    <section className="tv-continue" aria-labelledby="tv-continue">
      <h3 id="tv-continue">Continue Watching</h3>
      <ol>
        {data.items.slice(0, maxShown).map((item) => (
          <li key={item.ref}>
            <button type="button" data-recording={item.ref} onClick={() => onChoose(item)}>
              <span aria-hidden="true">
                <Play />
              </span>
              <b>{item.title}</b>
              <small className="num">
                {item.channelName} · {leftText(item)}
              </small>
              <progress aria-hidden="true" max={item.lengthMs} value={item.positionMs} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
