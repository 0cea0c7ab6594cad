import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { TabPanel } from '#web/ui/tabs/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import { getImport, type ImportRun, listImports, removeImport } from '../admin-contract.ts'
import { type RunState, type Verdict, verdictNames, verdicts } from '../rules.ts'
import { ImportActions } from './import-actions.tsx'
import { ImportRows } from './import-rows.tsx'
import { useImportRun } from './use-import-run.ts'

interface Props {
  runId: number
  onClose: () => void
}

const tabsId = 'import-rows'
const stateTexts: Record<RunState, string> = {
  checked: 'Checked. Nothing has been created yet.',
  applying: 'Being applied.',
  applied: 'Applied.',
  undoing: 'Being undone.',
  undone: 'Undone.',
}

/** An import: its counts, its rows by verdict, and its actions. */
export function ImportRunPanel({ runId, onClose }: Props) {
  const { data, error, refetch } = useQuery(query(getImport, { params: { runId } }))
  const work = useImportRun(runId)
  const remove = useSend(removeImport, [listImports])
  const [chosen, setChosen] = useState<Verdict | 'all'>('all')
  const run = work.progress ?? data
  if (!run)
    return error ? (
      <ErrorState title="The import could not be loaded" message={messageOf(error)} onRetry={() => refetch()} />
    ) : (
      <p className="payment-loading">
        <Spinner /> Loading the import…
      </p>
    )
  const { counts } = run
  const shown = verdicts.filter((verdict) => counts[verdict] > 0)
  const total = shown.reduce((sum, verdict) => sum + counts[verdict], 0)
  const value = chosen !== 'all' && counts[chosen] > 0 ? chosen : 'all'
  const failure = work.failure ?? (remove.error ? messageOf(remove.error) : undefined)
  return (
    <Card
      title={run.name}
      titleId="import-run"
      aside={
        <Button size="sm" variant="line" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        <Note tone={counts.refused > 0 && run.state === 'checked' ? 'warn' : 'info'} role="status">
          <b>{stateTexts[run.state]}</b>
          <p>{summaryOf(run, total)}</p>
          {run.emailsSince !== null && run.state === 'applied' && (
            <p>
              Emails: {run.emailed.toLocaleString('en-US')} of {counts.created.toLocaleString('en-US')} customers.
            </p>
          )}
        </Note>
        {work.progress && (
          <div className="grid gap-2">
            <progress
              aria-label="Progress of the import"
              value={total - remainingRows(run)}
              max={total}
              className="w-full"
            />
            <p className="num text-sm text-fg-2">
              {(total - remainingRows(run)).toLocaleString('en-US')} of {total.toLocaleString('en-US')} rows. Leaving
              this page pauses the import. You can continue it here later.
            </p>
          </div>
        )}
        {failure && (
          <Note tone="bad" role="alert">
            {failure}
          </Note>
        )}
        <ImportActions
          run={run}
          pending={work.isPending}
          onApply={() => void work.apply()}
          onUndo={() => void work.undo()}
          onEmail={work.email}
          removing={remove.isPending}
          onRemove={() => remove.mutate({ params: { runId } }, { onSuccess: onClose })}
        />
        <div>
          <Tabs
            id={tabsId}
            label="Rows of the file"
            value={value}
            onChange={setChosen}
            tabs={[
              { value: 'all' as const, label: 'All', count: total },
              ...shown.map((verdict) => ({ value: verdict, label: verdictNames[verdict], count: counts[verdict] })),
            ]}
          />
          <TabPanel id={tabsId} value={value}>
            <ImportRows
              key={value}
              runId={runId}
              label={value === 'all' ? 'All rows' : verdictNames[value]}
              verdict={value === 'all' ? undefined : value}
              kind={run.kind}
            />
          </TabPanel>
        </div>
      </div>
    </Card>
  )
}

/** The number of rows that still have to be created or removed. */
const remainingRows = ({ state, counts }: ImportRun): number => (state === 'undoing' ? counts.created : counts.create)

function summaryOf({ counts, totals, state, kind }: ImportRun, total: number): string {
  const rows = total === 1 ? '1 row' : `${total.toLocaleString('en-US')} rows`
  const parts = [
    state === 'checked' && `${counts.create.toLocaleString('en-US')} will be created`,
    counts.created > 0 && `${counts.created.toLocaleString('en-US')} created`,
    counts.exists > 0 && `${counts.exists.toLocaleString('en-US')} already here`,
    counts.refused > 0 && `${counts.refused.toLocaleString('en-US')} refused`,
    counts.undone > 0 && `${counts.undone.toLocaleString('en-US')} removed`,
    counts.kept > 0 && `${counts.kept.toLocaleString('en-US')} kept`,
  ].filter(Boolean)
  const brings =
    state === 'undone'
      ? ''
      : kind === 'invoices'
        ? ` In total: ${formatCents(totals.invoiced)}.`
        : ` In total: ${formatCents(totals.credit)} of credit, ${totals.subscriptions.toLocaleString('en-US')} subscriptions and ${totals.lines.toLocaleString('en-US')} lines.`
  return `${rows}: ${parts.join(', ')}.${brings}`
}
