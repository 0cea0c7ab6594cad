import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type ChannelRight, getWatching, listRights, publishChannels } from '../../admin-contract.ts'

/** Publishes the channel of a right for watching, or withdraws it. */
export function PublishButton({ right: { channelId, channelName, published } }: { right: ChannelRight }) {
  const send = useSend(publishChannels, [listRights, getWatching])
  const onClick = () =>
    send.mutate(
      { body: { channelIds: [channelId], published: !published } },
      {
        onSuccess: () =>
          toast({
            title: published ? 'Channel withdrawn' : 'Channel published',
            description: published
              ? `Customers can no longer watch ${channelName} in the browser.`
              : `Customers can watch ${channelName} in the browser.`,
          }),
        onError: (error) =>
          toast({
            title: published ? 'Channel not withdrawn' : 'Channel not published',
            description: messageOf(error),
            variant: 'destructive',
          }),
      },
    )
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
      <p className="text-fg-2">{published ? 'Published for watching.' : 'Not published for watching.'}</p>
      <Button variant="line" size="sm" pending={send.isPending} onClick={onClick}>
        {published ? 'Withdraw Channel' : 'Publish Channel'}
      </Button>
    </div>
  )
}
