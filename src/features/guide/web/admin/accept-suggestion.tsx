import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type ChannelMatch,
  type Listing,
  listChannelMatches,
  listGuideSources,
  setChannelMatch,
} from '../../admin-contract.ts'
import { listingText } from './listing-text.ts'

/** The suggested listings of a channel, with a button that accepts them. */
export function AcceptSuggestion({ channel, suggestion }: { channel: ChannelMatch; suggestion: Listing }) {
  const send = useSend(setChannelMatch, [listChannelMatches, listGuideSources])
  const onAccept = () =>
    send.mutate(
      { params: { channelId: channel.id }, body: { listingId: suggestion.id, shiftMinutes: 0 } },
      {
        onSuccess: () => toast({ title: 'Listings set', description: `${channel.name}: ${listingText(suggestion)}` }),
        onError: (error) => toast({ title: 'Not changed', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Clipped text={listingText(suggestion)} />
      <May needs="guide.edit">
        <Button variant="soft" size="sm" pending={send.isPending} onClick={onAccept}>
          Accept<span className="sr-only"> {`${listingText(suggestion)} for ${channel.name}`}</span>
        </Button>
      </May>
    </span>
  )
}
