import { useQuery } from '@tanstack/react-query'
import { format } from 'date-fns'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { type ImportRun, listImports } from '../admin-contract.ts'
import type { ImportKind, RunState } from '../rules.ts'

const stateNames: Record<RunState, string> = {
  checked: 'Checked',
  applying: 'Not finished',
  applied: 'Applied',
  undoing: 'Not finished',
  undone: 'Undone',
}
const kindNames: Record<ImportKind, string> = { customers: 'Customers', invoices: 'Invoices' }

/** The latest imports. */
export function ImportHistory({ onOpen }: { onOpen: (runId: number) => void }) {
  const { data, error, refetch } = useQuery(query(listImports))
  return (
    <Card title="Imports" titleId="import-history">
      {error && !data ? (
        <ErrorState title="The imports could not be loaded" message={messageOf(error)} onRetry={() => refetch()} />
      ) : !data ? (
        <p className="payment-loading">
          <Spinner /> Loading imports…
        </p>
      ) : data.length === 0 ? (
        <p className="text-fg-2">No file has been uploaded yet.</p>
      ) : (
        <ul className="statement-files">
          {data.map((run) => (
            <li key={run.id}>
              <div className="min-w-0 flex-1">
                <b className="break-words">{run.name}</b>
                <p className="text-sm text-fg-2">
                  {format(new Date(run.at), 'MMM d, yyyy, h:mm a')} by {run.by}
                </p>
                <p className="text-sm">
                  {kindNames[run.kind]}: {summaryOf(run)}
                </p>
              </div>
              <Badge waiting={run.state === 'applying' || run.state === 'undoing'} variant="outline">
                {stateNames[run.state]}
              </Badge>
              <Button size="sm" variant="line" aria-label={`Open ${run.name}`} onClick={() => onOpen(run.id)}>
                Open
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function summaryOf({ counts: { create, created, exists, refused, undone, kept } }: ImportRun): string {
  const parts = [
    create > 0 && `${create} to create`,
    created > 0 && `${created} created`,
    undone > 0 && `${undone} removed`,
    kept > 0 && `${kept} kept`,
    exists > 0 && `${exists} already here`,
    refused > 0 && `${refused} refused`,
  ]
  return parts.filter(Boolean).join(', ')
}
