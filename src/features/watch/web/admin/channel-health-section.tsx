import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { Note } from '#web/ui/note.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { type ChannelHealth, listChannelHealth } from '../../admin-plays-contract.ts'
import { reasons } from '../../rules.ts'

const refetchMs = 60_000

/** Shows which channels fail: starts and failures in the last 24 hours. */
export function ChannelHealthSection() {
  const { data, error } = useQuery({ ...query(listChannelHealth), refetchInterval: refetchMs })
  if (error) return <Note tone="bad">{messageOf(error)}</Note>
  if (!data) return null
  return (
    <Card
      title="Channel health"
      titleId="channel-health"
      flush
      className="mb-6"
      aside={<span className="text-sm text-fg-2">Last 24 hours</span>}
    >
      {data.length === 0 ? (
        <p className="px-6 py-4 text-fg-2">No channel was watched in the last 24 hours.</p>
      ) : (
        <section className="table-scroll" aria-label="Starts and failures of each channel" tabIndex={0}>
          <table className="table" aria-labelledby="channel-health">
            <thead>
              <tr>
                <th scope="col">Channel</th>
                <th scope="col">Watching now</th>
                <th scope="col">Starts</th>
                <th scope="col">Failures</th>
                <th scope="col">Most frequent reason</th>
                <th scope="col">Last failure</th>
              </tr>
            </thead>
            <tbody>
              {data.map((row) => (
                <HealthRow key={row.channelId} {...row} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}

function HealthRow({ channelName, viewers, starts, failures, failedCustomers, lastFailureAt, reason }: ChannelHealth) {
  const isFailing = failures * 2 >= starts && failedCustomers >= 2
  return (
    <tr>
      <th scope="row">{channelName}</th>
      <td className="num">{viewers}</td>
      <td className="num">{starts}</td>
      <td className="num">
        {failures === 0 ? '0' : `${failures}, ${failedCustomers} ${failedCustomers === 1 ? 'customer' : 'customers'}`}{' '}
        {isFailing && <Badge variant="destructive">Failing</Badge>}
      </td>
      <td>{reason ? reasons[reason] : '–'}</td>
      <td>{lastFailureAt ? <RelativeTime value={lastFailureAt} /> : '–'}</td>
    </tr>
  )
}
