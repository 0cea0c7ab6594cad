import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type Device, listDevices, removeDevice } from '../contract.ts'

const effects = {
  browser: 'The browser is logged out and stops playing.',
  tv: 'The TV stops playing and needs a new code to be paired again.',
  app: 'The app stops playing, and its username and password no longer work.',
}

/** A dialog that asks whether to remove a device. Open on first render; give it a new key for each opening. */
export function RemoveDeviceDialog({ device, returnTo }: { device: Device; returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const { mutate, isPending } = useSend(removeDevice, [listDevices])
  const confirm = () =>
    mutate(
      { params: { deviceId: device.id } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: `${device.name} removed`, description: 'You can no longer watch on that device.' })
        },
        onError: (error) =>
          toast({ title: 'Failed to remove the device', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={setOpen}
      title={`Remove ${device.name}?`}
      description={effects[device.kind]}
      action="Remove Device"
      pending={isPending}
      onConfirm={confirm}
      sheet
      returnTo={returnTo}
    />
  )
}
