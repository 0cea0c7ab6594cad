import { useQuery } from '@tanstack/react-query'
import { format } from 'date-fns'
import { useState } from 'react'
import { getPayment, listPayments } from '#features/payments/admin-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { query, useSend } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { listStatements, type StatementFile, withdrawStatement } from '../admin-contract.ts'
import { formatNames } from '../rules.ts'

/** Lists the uploaded statements. Each can be withdrawn unless one of its payments is decided. */
export function StatementHistory() {
  const { data, error, refetch } = useQuery({ ...query(listStatements), refetchOnMount: 'always' })
  const [withdrawn, setWithdrawn] = useState<StatementFile>()
  const [isAsking, setAsking] = useState(false)
  const send = useSend(withdrawStatement, [listStatements, listPayments, getPayment])
  const withdraw = () =>
    withdrawn &&
    send.mutate(
      { params: { statementId: withdrawn.id } },
      {
        onSuccess: () => toast({ title: 'Statement withdrawn', description: withdrawn.name }),
        onError: (failure) =>
          toast({ title: 'Not withdrawn', description: messageOf(failure), variant: 'destructive' }),
        onSettled: () => setAsking(false),
      },
    )
  if (error && !data)
    return (
      <ErrorState title="The statements could not be loaded" message={messageOf(error)} onRetry={() => refetch()} />
    )
  return (
    <section aria-labelledby="statement-history">
      <h3 id="statement-history" className="mb-2 text-base">
        Uploaded statements
      </h3>
      {!data && (
        <p className="payment-loading">
          <Spinner /> Loading statements…
        </p>
      )}
      {data?.length === 0 && <p className="text-sm text-fg-2">No statements uploaded yet.</p>}
      <ul className="statement-files">
        {data?.map((file) => (
          <li key={file.id}>
            <div className="min-w-0 flex-1">
              <b className="break-words">{file.name}</b>
              <p className="text-sm text-fg-2">
                {formatNames[file.format] ?? file.format}, {format(new Date(file.at), 'MMM d, yyyy, h:mm a')} by{' '}
                {file.by}
              </p>
              <p className="text-sm">{summaryOf(file)}</p>
            </div>
            {file.withdrawn ? (
              <Badge>Withdrawn by {file.withdrawn.by}</Badge>
            ) : file.decided > 0 ? (
              <Badge>{file.decided} decided</Badge>
            ) : (
              <Button
                size="sm"
                variant="line"
                aria-label={`Withdraw ${file.name}`}
                onClick={() => {
                  setWithdrawn(file)
                  setAsking(true)
                }}
              >
                Withdraw
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Withdraw ${withdrawn?.name}?`}
        description="The payments that only this statement reported are removed from the list. You can upload the file again."
        action="Withdraw"
        pending={send.isPending}
        onConfirm={withdraw}
      />
    </section>
  )
}

function summaryOf({ counts, newCents }: StatementFile): string {
  const parts = [
    `${counts.new} new (${formatCents(newCents)})`,
    `${counts.known} already here`,
    `${counts.skipped} not payments`,
  ]
  if (counts.unreadable > 0) parts.push(`${counts.unreadable} left out`)
  return parts.join(', ')
}
