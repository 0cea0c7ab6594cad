import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'
import { UserLink } from '#web/ui/user-link.tsx'
import { getPanelStatus, type LineDrift, listLineDrift, listLineJobs, resolveLineDrift } from '../admin-contract.ts'
import { LineFacts } from './line-facts.tsx'
import { driftTexts } from './line-texts.ts'

type Facts = LineDrift['ours']
const whole = ({
  enabled = null,
  until = null,
  connections = null,
}: Omit<Facts, 'enabled'> & { enabled?: boolean | null | undefined }) => ({
  enabled,
  until,
  connections,
})

/** One difference: whose line, what each side says, and what can be done. */
export function LineDriftItem({ drift }: { drift: LineDrift }) {
  const mend = useSend(resolveLineDrift, [listLineDrift, listLineJobs, getPanelStatus])
  const { title, ours, theirs } = driftTexts[drift.kind]
  const name = drift.customer ?? drift.username ?? drift.lineRef ?? ''
  const press = (way: 'ours' | 'theirs' | 'keep') =>
    mend.mutate(
      { params: { driftId: drift.id }, body: { way } },
      {
        onSuccess: () =>
          toast({
            title: way === 'keep' ? 'Left as it is' : 'Mended',
            description: way === 'ours' ? 'The panel is told; the list above shows how it goes.' : `Noted for ${name}.`,
          }),
        onError: (failure) =>
          toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  return (
    <li className="grid gap-2 py-4">
      <p className="font-semibold">
        {drift.userId === null ? drift.username : <UserLink id={drift.userId} username={name} />}
        <span className="block font-normal">{title}</span>
      </p>
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2 [&_dt]:text-sm [&_dt]:text-fg-2">
        {drift.ours.enabled !== undefined && (
          <div>
            <dt>Our books</dt>
            <dd>
              <LineFacts facts={whole(drift.ours)} />
            </dd>
          </div>
        )}
        {drift.theirs.enabled !== undefined && (
          <div>
            <dt>The panel</dt>
            <dd>
              <LineFacts facts={whole(drift.theirs)} />
            </dd>
          </div>
        )}
      </dl>
      <p className="flex flex-wrap gap-2">
        <Button size="sm" variant="soft" pending={mend.isPending} onClick={() => press('ours')}>
          {ours}
          <span className="sr-only"> for {name}</span>
        </Button>
        {drift.canTakeTheirs && (
          <Button size="sm" variant="soft" pending={mend.isPending} onClick={() => press('theirs')}>
            {theirs}
            <span className="sr-only"> for {name}</span>
          </Button>
        )}
        <Button size="sm" variant="ghost" pending={mend.isPending} onClick={() => press('keep')}>
          Leave it
          <span className="sr-only"> for {name}</span>
        </Button>
      </p>
    </li>
  )
}
