import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type Device, listDevices, removeDevice } from '../contract.ts'

const effects = {
  browser: 'It is logged out, and what plays on it stops.',
  tv: 'What plays on it stops, and it needs a new code to be paired again.',
  app: 'What plays on it stops, and its username and password never work again.',
}

/** Asks whether to remove a device. It is open when it mounts; to open it again, mount it with a new key. */
export function RemoveDeviceDialog({ device, returnTo }: { device: Device; returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const { mutate, isPending } = useSend(removeDevice, [listDevices])
  const confirm = () =>
    mutate(
      { params: { deviceId: device.id } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: `${device.name} removed`, description: 'It can no longer watch.' })
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
