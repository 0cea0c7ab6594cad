import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { DetailLine } from '#web/ui/detail-line.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type CheckOutcome, listCheckOutcomes } from '../../admin-contract.ts'
import { causeTexts } from '../../evidence-rules.ts'

/** The card that shows how many self-checks were not followed by a report. These presumably answered the customer's question. */
export function CheckOutcomesSection() {
  const { data, error, isFetching, refetch } = useQuery(query(listCheckOutcomes))
  return (
    <Card
      title="Self-checks"
      titleId="self-checks"
      className="mb-6"
      aside={<span className="text-sm text-fg-2">Last 30 days</span>}
    >
      {!data && error && (
        <ErrorState
          title="The self-checks could not be loaded"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Skeleton className="h-24" />}
      {data?.length === 0 && (
        <p className="text-fg-2">No check of a channel ended with a verdict in the last 30 days.</p>
      )}
      {data && data.length > 0 && (
        <>
          <p className="mb-3">{summaryOf(data)}</p>
          <dl className="details">
            {data.map(({ cause, checks, withoutReport }) => (
              <DetailLine key={cause} label={causeTexts[cause]}>
                <span className="num">{share(withoutReport, checks)}</span>
              </DetailLine>
            ))}
          </dl>
        </>
      )}
    </Card>
  )
}

/** Formats a share, such as `84 of 120 (70%)`. */
const share = (part: number, all: number): string =>
  `${part.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} (${Math.round((100 * part) / all)}%)`
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

function summaryOf(outcomes: readonly CheckOutcome[]): string {
  const all = sum(outcomes.map(({ checks }) => checks))
  const without = sum(outcomes.map(({ withoutReport }) => withoutReport))
  return `Checks of a channel that ended without a report: ${share(without, all)}. By verdict:`
}
