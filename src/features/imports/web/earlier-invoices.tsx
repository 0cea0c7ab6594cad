import type { UseQueryResult } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import type { Output } from '#kit/endpoint.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import type { listEarlierInvoices } from '../contract.ts'
import { EarlierInvoiceList } from './earlier-invoice-list.tsx'

interface Props {
  note: string
  result: Pick<
    UseQueryResult<Output<typeof listEarlierInvoices>[]>,
    'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'
  >
  onMore: () => void
  className?: string | undefined
}

const titleId = 'earlier-invoices'

/** The card with the invoices from the previous system. Renders nothing if there are none. */
export function EarlierInvoices({ note, result, onMore, className }: Props) {
  const { data: pages, error, isFetching, isPlaceholderData, refetch } = result
  if (error && !pages)
    return (
      <Card title="Earlier invoices" titleId={titleId} className={className}>
        <ErrorState
          title="The earlier invoices could not be loaded"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      </Card>
    )
  if (!pages?.[0]?.rows.length) return null
  return (
    <Card
      title="Earlier invoices"
      titleId={titleId}
      className={className}
      footer={
        pages.at(-1)?.next && (
          <Button variant="line" size="sm" pending={isPlaceholderData} onClick={onMore}>
            Show Earlier
          </Button>
        )
      }
    >
      <p className="mb-2 max-w-160 text-15 text-fg-2">{note}</p>
      <EarlierInvoiceList invoices={pages.flatMap(({ rows }) => rows)} labelledBy={titleId} />
    </Card>
  )
}
