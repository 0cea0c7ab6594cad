import { useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { listPlays } from '../contract.ts'

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/** What plays on the other screens of the customer, each with a button that takes it over. */
export function PlayerScreens({ onTake }: { onTake: (playId: string) => void }) {
  const { data: plays = [] } = useQuery(query(listPlays))
  return (
    <ul className="player-screens">
      {plays
        .filter(({ isHere }) => !isHere)
        .map(({ id, device, channelName, since }) => (
          <li key={id}>
            <span>
              <b>{device}</b>
              <span>
                {channelName}, since {time.format(new Date(since))}
              </span>
            </span>
            <Button variant="line" size="sm" onClick={() => onTake(id)}>
              Use It Here<span className="sr-only"> instead of on {device}</span>
            </Button>
          </li>
        ))}
    </ul>
  )
}
