import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Note } from '#web/ui/note.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { UserLink } from '#web/ui/user-link.tsx'
import { listRunningPlays, maxPlays, type RunningPlay, stopPlay } from '../../admin-plays-contract.ts'
import { directOutcomeText } from '../../direct-rules.ts'

const refetchMs = 20_000

/** Shows who is watching now. Channels are not shown, because what a customer watches is private. */
export function PlaysSection() {
  const { data, error } = useQuery({ ...query(listRunningPlays), refetchInterval: refetchMs })
  const stop = useSend(stopPlay, [listRunningPlays])
  if (error) return <Note tone="bad">{messageOf(error)}</Note>
  if (!data) return null
  const isMixed = data.some(({ direct }) => direct !== null)
  const onStop = ({ id, device }: RunningPlay) =>
    stop.mutate(
      { params: { playId: id } },
      {
        onSuccess: () => toast({ title: `${device} stopped` }),
        onError: (failure) => toast({ title: 'Not stopped', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  return (
    <Card
      title="Watching now"
      titleId="watching-now"
      flush
      className="mb-6"
      aside={
        <span className="num text-sm text-fg-2">
          {data.length === maxPlays && 'Newest '}
          {data.length} playing
        </span>
      }
    >
      {data.length === 0 ? (
        <p className="px-6 py-4 text-fg-2">Nothing is playing in browsers or on paired TVs right now.</p>
      ) : (
        <section className="table-scroll" aria-label="Running plays" tabIndex={0}>
          <table className="table" aria-labelledby="watching-now">
            <thead>
              <tr>
                <th scope="col">Customer</th>
                <th scope="col">Device</th>
                <th scope="col">Since</th>
                {isMixed && <th scope="col">Stream</th>}
                <th scope="col">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((play) => (
                <tr key={play.id}>
                  <td>
                    <UserLink id={play.userId} username={play.username} />
                  </td>
                  <td>{play.device}</td>
                  <td>
                    <RelativeTime value={play.since} />
                  </td>
                  {isMixed && <td>{directOutcomeText(play.direct)}</td>}
                  <td className="text-right">
                    <May needs="watching.edit">
                      <Button variant="line" size="sm" onClick={() => onStop(play)}>
                        Stop
                        <span className="sr-only">
                          {' '}
                          {play.device} of {play.username}
                        </span>
                      </Button>
                    </May>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}
