import { useQuery } from '@tanstack/react-query'
import type { NowNext } from '#features/guide/rules.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { listPlays } from '../contract.ts'

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

interface Props {
  /** What is on now and next, by channel id. */
  programs?: ReadonlyMap<number, NowNext> | undefined
  onTake: (playId: string) => void
}

/** What plays on the customer's other screens, each with a button to take it over. */
export function PlayerScreens({ programs, onTake }: Props) {
  const { data: plays = [] } = useQuery(query(listPlays))
  return (
    <ul className="player-screens">
      {plays
        .filter(({ isHere }) => !isHere)
        .map(({ id, device, channelId, channelName, since }) => {
          const program = programs?.get(channelId)?.now?.title
          return (
            <li key={id}>
              <span>
                <b>{device}</b>
                <span className="num">
                  {channelName} · Since {time.format(new Date(since))}
                </span>
                {program && <span>{program}</span>}
              </span>
              <Button variant="soft" size="sm" onClick={() => onTake(id)}>
                Use It Here<span className="sr-only"> instead of on {device}</span>
              </Button>
            </li>
          )
        })}
    </ul>
  )
}
