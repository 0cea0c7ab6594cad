import { useQuery } from '@tanstack/react-query'
import { endPlay, listPlays } from '#features/watch/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'

/** Lists what plays on the customer's screens, with a button that stops each play. */
export function ScreensInUse() {
  const { data: plays = [] } = useQuery(query(listPlays))
  const send = useSend(endPlay, [listPlays])
  const stop = (playId: string) =>
    send.mutate(
      { params: { playId }, query: {} },
      { onError: (error) => toast({ title: 'Failed to stop', description: messageOf(error), variant: 'destructive' }) },
    )
  if (plays.length === 0) return <p className="mt-4 text-fg-2">No screen is in use now.</p>
  return (
    <ul className="check-screens" aria-label="Your screens">
      {plays.map(({ id, device, channelName }) => (
        <li key={id}>
          <span>
            <b>{device}</b>
            <span>{channelName}</span>
          </span>
          <Button
            variant="soft"
            size="sm"
            pending={send.isPending && send.variables.params.playId === id}
            onClick={() => stop(id)}
          >
            Stop
            <span className="sr-only">
              {' '}
              {channelName} on {device}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
