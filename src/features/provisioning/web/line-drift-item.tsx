import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { UserLink } from '#web/ui/user-link.tsx'
import { getPanelStatus, listLineJobs } from '../admin-contract.ts'
import { type LineDrift, listLineDrift, resolveLineDrift } from '../admin-drift-contract.ts'
import { LineFacts } from './line-facts.tsx'
import { driftTexts } from './line-texts.ts'

type Facts = LineDrift['ours']
const withDefaults = ({
  enabled = null,
  until = null,
  connections = null,
}: Omit<Facts, 'enabled'> & { enabled?: boolean | null | undefined }) => ({
  enabled,
  until,
  connections,
})

/** One difference between our records and the panel, with the buttons that resolve it. */
export function LineDriftItem({ drift }: { drift: LineDrift }) {
  const resolve = useSend(resolveLineDrift, [listLineDrift, listLineJobs, getPanelStatus])
  const { title, ours, theirs } = driftTexts[drift.kind]
  const name = drift.customer ?? drift.username ?? drift.lineRef ?? ''
  const submit = (way: 'ours' | 'theirs' | 'keep') =>
    resolve.mutate(
      { params: { driftId: drift.id }, body: { way } },
      {
        onSuccess: () =>
          toast({
            title: way === 'keep' ? 'Ignored' : 'Resolved',
            description:
              way === 'ours' ? 'The change is queued. The list above shows its progress.' : `Saved for ${name}.`,
          }),
        onError: (failure) =>
          toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  return (
    <li className="grid gap-2 py-4">
      <p className="font-semibold">
        {drift.userId === null ? drift.username : <UserLink id={drift.userId} username={name} />}
        <span className="block font-normal">
          {title}
          {drift.panelName && `, on ${drift.panelName}`}
        </span>
      </p>
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2 [&_dt]:text-sm [&_dt]:text-fg-2">
        {drift.ours.enabled !== undefined && (
          <div>
            <dt>Our records</dt>
            <dd>
              <LineFacts facts={withDefaults(drift.ours)} />
            </dd>
          </div>
        )}
        {drift.theirs.enabled !== undefined && (
          <div>
            <dt>Panel</dt>
            <dd>
              <LineFacts facts={withDefaults(drift.theirs)} />
            </dd>
          </div>
        )}
      </dl>
      <p className="flex flex-wrap gap-2">
        <Button size="sm" variant="soft" pending={resolve.isPending} onClick={() => submit('ours')}>
          {ours}
          <span className="sr-only"> for {name}</span>
        </Button>
        {drift.canTakeTheirs && (
          <Button size="sm" variant="soft" pending={resolve.isPending} onClick={() => submit('theirs')}>
            {theirs}
            <span className="sr-only"> for {name}</span>
          </Button>
        )}
        <Button size="sm" variant="ghost" pending={resolve.isPending} onClick={() => submit('keep')}>
          Ignore
          <span className="sr-only"> for {name}</span>
        </Button>
      </p>
    </li>
  )
}
