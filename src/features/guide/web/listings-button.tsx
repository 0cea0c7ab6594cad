import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '#features/catalog/contract.ts'
import { getWatch, requestListings } from '#features/watch/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type GuideNow, getGuideNow } from '../contract.ts'
import { reloadPrograms } from './grid/reload-programs.ts'

const focus = (element: HTMLElement | null) => element?.focus()

interface Props {
  channel: Pick<Channel, 'id' | 'name'>
  /** Called before the programs are shown. */
  onFound: () => void
  /** The tab index of the button and of the text that replaces it. In the grid, only one element is in the tab order; arrow keys reach the others. */
  tabIndex?: number
  variant?: 'ghost' | 'line'
}

/** Shown for a channel without listings: a button that asks the panel for them if the customer can watch the channel, otherwise a text. */
export function ListingsButton({ channel, onFound, tabIndex, variant = 'ghost' }: Props) {
  const client = useQueryClient()
  const { data: watch } = useQuery(query(getWatch))
  const send = useSend(requestListings)
  const canWatch =
    watch?.blocked === null && watch.channels.some(({ id, blocked }) => id === channel.id && blocked === null)
  // The text takes over the focus of the button.
  if (send.data?.programs.length === 0)
    return (
      <p className="guide-none" tabIndex={tabIndex ?? -1} ref={focus}>
        No listings
      </p>
    )
  if (!canWatch) return <p className="guide-none">No listings</p>
  const ask = () =>
    send.mutate(
      { params: { channelId: channel.id } },
      {
        onSuccess: async ({ programs }) => {
          const [first] = programs
          announce(first ? `${first[2]} on ${channel.name}` : `No listings for ${channel.name}`)
          if (!first) return
          // If the reload fails, the grid shows the programs after its next load.
          await reloadPrograms(client, channel.id).catch(() => undefined)
          onFound()
          client.setQueryData<GuideNow>(
            query(getGuideNow).queryKey,
            (before) =>
              before && {
                ...before,
                rows: [...before.rows.filter(([id]) => id !== channel.id), [channel.id, programs]],
              },
          )
        },
        onError: (error) => toast({ title: 'Not loaded', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <Button
      variant={variant}
      size="sm"
      className="guide-ask"
      tabIndex={tabIndex}
      pending={send.isPending}
      onClick={ask}
    >
      Show What Is On<span className="sr-only"> {channel.name}</span>
    </Button>
  )
}
