import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listAllChannels, listChannels } from '#features/catalog/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { toast } from '#web/ui/toast.ts'
import { getChannelLogos, updateChannelLogos } from '../../admin-contract.ts'
import { logosText } from './import-choice.ts'

/** Whether channels show the panel's logos, and how far fetching them has come; the page hears of each step by itself. */
export function PanelLogosSwitch() {
  const { data: logos } = useQuery(query(getChannelLogos))
  const send = useSend(updateChannelLogos, [getChannelLogos, listAllChannels, listChannels])
  // Set in the click itself: a mutation says one task later that it is pending, and until then the box would show the old value.
  const [sending, setSending] = useState<boolean>()
  if (!logos) return null
  return (
    <div className="mb-6 grid max-w-160 gap-2 border-b pb-6">
      <Checkbox
        label="Use the panel’s own logos"
        hint="They are somebody’s property: switch this on only where you may show them. An import then fetches each once, looks at what it is and shows it from this site."
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
