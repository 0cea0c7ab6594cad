import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'
import { DateText } from '#web/ui/time/date-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getPanelStatus, listLineJobs } from '../../admin-contract.ts'
import { changeMove, listMoveRuns, type MoveRun } from '../../admin-moves-contract.ts'

const stateTexts = { running: 'In progress', stopped: 'Stopped', done: 'Done' } as const
const changeTexts = { stop: 'Stop', continue: 'Continue', back: 'Move Back' } as const
const doneTexts = { stop: 'Move stopped', continue: 'Move continued', back: 'Moving back' } as const
type Change = keyof typeof changeTexts

/** The changes that the state of a run allows. */
function changesOf({ state, direction, moved }: MoveRun): Change[] {
  if (state === 'running') return ['stop']
  const back: Change[] = direction === 'there' && moved > 0 ? ['back'] : []
  return state === 'stopped' ? ['continue', ...back] : back
}

/** How many lines of a run are in each state, without the states that have none. */
function countsText(run: MoveRun): string {
  const counts: [number, string][] = [
    [run.moved, run.direction === 'there' ? 'moved' : 'not moved back yet'],
    [run.returned, 'moved back'],
    [run.underway, 'in progress'],
    [run.waiting, 'waiting'],
    [run.problems, 'not moved, see the jobs above'],
    [run.skipped, 'skipped'],
  ]
  return counts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count.toLocaleString('en-US')} ${text}`)
    .join(', ')
}

/** One move of the lines of a panel: its progress, and the buttons that stop it, continue it or move the lines back. */
export function MoveRunItem({ run }: { run: MoveRun }) {
  const change = useSend(changeMove, [listMoveRuns, listLineJobs, getPanelStatus])
  const mayEdit = useMay()('lines.edit')
  const name = `${run.from.name} to ${run.to.name}`
  const finished = run.direction === 'there' ? run.moved + run.skipped : run.returned
  const all = run.direction === 'there' ? run.total : run.moved + run.returned + run.underway
  const send = (what: Change) =>
    change.mutate(
      { params: { runId: run.id, change: what } },
      {
        onSuccess: () => toast({ title: doneTexts[what], description: name }),
        onError: (failure) =>
          toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  return (
    <li className="grid gap-2 py-4 first:pt-0 last:pb-0">
      <p className="wrap-anywhere font-semibold">
        {name}
        <span className="block font-normal text-fg-2 text-sm">
          {run.direction === 'back' ? 'Moving back: ' : ''}
          {stateTexts[run.state]}. Started <DateText value={run.createdAt} look="minute" />
          {run.by && ` by ${run.by}`}.
        </span>
      </p>
      {run.state === 'running' && (
        <progress className="w-full" aria-label={`Progress of ${name}`} value={finished} max={all || 1} />
      )}
      <p role="status">{countsText(run)}.</p>
      {mayEdit && changesOf(run).length > 0 && (
        <p className="flex flex-wrap gap-2">
          {changesOf(run).map((what) => (
            <Button key={what} size="sm" variant="soft" pending={change.isPending} onClick={() => send(what)}>
              {changeTexts[what]}
              <span className="sr-only"> {name}</span>
            </Button>
          ))}
        </p>
      )}
    </li>
  )
}
