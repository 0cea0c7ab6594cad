import { type RefObject, useEffect, useRef } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import { listWatchlist, orderWatchlist } from '#features/watchlist/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '../../data.ts'
import { announce } from '../../ui/announce.ts'
import { toast } from '../../ui/toast/toast.ts'

/**
 * Returns the channels of the watchlist in the order that is being saved, and a function that moves a channel up or down by one position. The focus
 * stays on the pressed button in `list`, or moves to the opposite button if the channel cannot be moved further.
 */
export function useWatchlistOrder(channels: Channel[] | undefined, list: RefObject<HTMLElement | null>) {
  const send = useSend(orderWatchlist, [listWatchlist])
  const ids = send.isPending ? send.variables.body.channelIds : undefined
  const shown = ids && channels ? channels.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) : channels
  const moved = useRef<{ id: number; step: number }>(undefined)
  // Moving the row of a focused button removes the focus from the button.
  useEffect(() => {
    if (!moved.current) return
    const { id, step } = moved.current
    const button = (wanted: number) =>
      list.current?.querySelector<HTMLElement>(`[data-channel="${id}"] [data-step="${wanted}"]:enabled`)
    ;(button(step) ?? button(-step))?.focus()
    moved.current = undefined
  })
  const move = (index: number, step: -1 | 1) => {
    const channel = shown?.[index]
    const other = shown?.[index + step]
    if (!channel || !other || send.isPending) return
    const channelIds = shown.map(({ id }) => (id === channel.id ? other.id : id === other.id ? channel.id : id))
    moved.current = { id: channel.id, step }
    send.mutate(
      { body: { channelIds } },
      {
        onSuccess: () => announce(`${channel.name}, ${index + step + 1} of ${channelIds.length}`),
        onError: (failure) =>
          toast({ title: 'Watchlist not changed', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  }
  return { shown, move }
}
