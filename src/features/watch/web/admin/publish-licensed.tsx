import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { LazyConfirmDialog } from '#web/ui/dialog/lazy-confirm-dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getWatching, listRights, listWatchableChannels, maxChannels, publishChannels } from '../../admin-contract.ts'

/** Publishes the channels that have a right in force and are not published yet. Renders nothing if there are none. */
export function PublishLicensed() {
  const { data = [] } = useQuery(query(listWatchableChannels))
  const [isAsking, setAsking] = useState(false)
  const send = useSend(publishChannels, [getWatching, listRights, listWatchableChannels])
  const waiting = data
    .filter(({ hasStream, licensed, published }) => hasStream && licensed && !published)
    .slice(0, maxChannels)
  if (waiting.length === 0 && !isAsking) return null
  const channels = `${waiting.length} ${waiting.length === 1 ? 'channel' : 'channels'}`
  const onConfirm = () =>
    send.mutate(
      { body: { channelIds: waiting.map(({ id }) => id), published: true } },
      {
        onSuccess: ({ changed }) => toast({ title: 'Channels published', description: `${changed} can be watched.` }),
        onError: (error) =>
          toast({ title: 'Nothing published', description: messageOf(error), variant: 'destructive' }),
        onSettled: () => setAsking(false),
      },
    )
  return (
    <>
      <Button variant="line" onClick={() => setAsking(true)}>
        Publish {channels}
      </Button>
      <LazyConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Publish ${channels}?`}
        description="Each has a right in force. Customers can watch them while watching is on."
        action="Publish"
        destructive={false}
        pending={send.isPending}
        onConfirm={onConfirm}
      />
    </>
  )
}
