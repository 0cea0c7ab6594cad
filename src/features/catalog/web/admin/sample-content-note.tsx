import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { LazyConfirmDialog } from '#web/ui/dialog/lazy-confirm-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import {
  getSampleContent,
  listAllChannels,
  listAllDeviceCategories,
  listAllFaqs,
  listAllPlans,
  removeSampleContent,
  type SampleCounts,
  type SampleKind,
  sampleKinds,
} from '../../admin-contract.ts'
import { listChannels, listDeviceCategories, listFaqs, listPlans } from '../../contract.ts'

const refreshedLists = [
  listAllPlans,
  listAllChannels,
  listAllDeviceCategories,
  listAllFaqs,
  listPlans,
  listChannels,
  listDeviceCategories,
  listFaqs,
]
const sumOf = (counts: SampleCounts, of: 'removable' | 'kept') =>
  sampleKinds.reduce((sum, kind) => sum + counts[kind][of], 0)

const sampleNouns: Record<SampleKind, [one: string, many: string]> = {
  plans: ['plan', 'plans'],
  channels: ['channel', 'channels'],
  deviceCategories: ['device category', 'device categories'],
  faqs: ['question', 'questions'],
}
/** `20 plans, 171 channels and 12 questions`, without kinds that have no entries. */
function sampleText(counts: SampleCounts, of: 'removable' | 'kept'): string {
  const parts = (Object.keys(sampleNouns) as SampleKind[]).flatMap((kind) => {
    const count = counts[kind][of]
    return count > 0 ? [`${count} ${sampleNouns[kind][count === 1 ? 0 : 1]}`] : []
  })
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}

/** A note with a button that removes the sample content. Not rendered when no sample entry can be removed. */
export function SampleContentNote() {
  const { data: counts } = useQuery(query(getSampleContent))
  const { data: plans } = useQuery(query(listAllPlans))
  const remove = useSend(removeSampleContent, [getSampleContent, ...refreshedLists])
  const [isConfirming, setConfirming] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (!counts || sumOf(counts, 'removable') === 0) return null
  const kept = sumOf(counts, 'kept')
  const isLastPlan = plans !== undefined && plans.length > 0 && plans.length === counts.plans.removable
  const confirm = () =>
    remove.mutate(
      {
        body: {
          plans: counts.plans.removable,
          channels: counts.channels.removable,
          deviceCategories: counts.deviceCategories.removable,
          faqs: counts.faqs.removable,
        },
      },
      {
        onSuccess: () =>
          toast({ title: 'Sample content removed', description: 'The catalog now contains only your own entries.' }),
        onError: (failure) =>
          toast({ title: 'Nothing was removed', description: messageOf(failure), variant: 'destructive' }),
        onSettled: () => setConfirming(false),
      },
    )
  return (
    <Note
      className="mb-5"
      action={
        <May needs="catalog.edit">
          <Button ref={button} size="sm" variant="line" onClick={() => setConfirming(true)}>
            Remove Sample Content
          </Button>
        </May>
      }
    >
      The catalog still contains sample content: {sampleText(counts, 'removable')}.
      <LazyConfirmDialog
        open={isConfirming}
        onOpenChange={(next) => !remove.isPending && setConfirming(next)}
        title="Remove the sample content?"
        description={`${sampleText(counts, 'removable')} will be deleted. This cannot be undone.`}
        action="Remove Sample Content"
        pending={remove.isPending}
        onConfirm={confirm}
        returnTo={button}
      >
        <ul className="grid list-disc gap-1 pl-5">
          <li>Only sample entries that were never edited and are not in use are removed.</li>
          {kept > 0 && <li>Kept, because edited or in use: {sampleText(counts, 'kept')}.</li>}
          {isLastPlan && <li>No plan will be on sale until you add one.</li>}
        </ul>
      </LazyConfirmDialog>
    </Note>
  )
}
