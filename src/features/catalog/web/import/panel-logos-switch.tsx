import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listChannels } from '#features/catalog/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { listAllChannels } from '../../admin-contract.ts'
import { getChannelLogos, updateChannelLogos } from '../../admin-import-contract.ts'
import { logosText } from './import-choice.ts'

/** Switches the panel's logos on and off and shows the progress of fetching them. */
export function PanelLogosSwitch() {
  const { data: logos } = useQuery(query(getChannelLogos))
  const send = useSend(updateChannelLogos, [getChannelLogos, listAllChannels, listChannels])
  // Set in the event handler: the mutation becomes pending one task later, and the checkbox would show the old value until then.
  const [sending, setSending] = useState<boolean>()
  if (!logos) return null
  return (
    <div className="mb-6 grid max-w-160 gap-2 border-b pb-6">
      <Checkbox
        label="Use the panel’s own logos"
        hint="Logos are protected by copyright and trademark law: switch this on only if you may show them. An import then fetches each logo once and serves it from this site."
        checked={sending ?? logos.fromPanel}
        disabled={sending !== undefined}
        onChange={({ target }) => {
          setSending(target.checked)
          send.mutate(
            { body: { fromPanel: target.checked } },
            {
              onError: (failure) =>
                toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
              onSettled: () => setSending(undefined),
            },
          )
        }}
      />
      <p role="status" className="text-fg-2">
        {logosText(logos)}
      </p>
    </div>
  )
}
