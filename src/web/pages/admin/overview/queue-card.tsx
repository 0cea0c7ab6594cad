import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleAlert, Clock } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { getQueue, type Queue, type QueueItem } from '#features/desk/admin-queue-contract.ts'
import {
  byTimeLeft,
  groupOf,
  type QueueFilter,
  type QueueGroup,
  queueFilterNames,
  queueFilters,
  queueGroups,
} from '#features/desk/queue-rules.ts'
import { actsImmediately } from '#features/desk/queue-text-rules.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useSearchKeySwitch } from '#web/ui/table/use-search-key.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { ExactRow } from './exact-row.tsx'
import { QueueDialog } from './queue-dialog.tsx'
import { QueueEmpty } from './queue-empty.tsx'
import { QueueMascot } from './queue-mascot.tsx'
import { QueueRow } from './queue-row.tsx'
import { type Undo, usePressedRows } from './use-pressed-rows.ts'
import { useQueueActions } from './use-queue-actions.ts'
import { useServerTime } from './use-server-time.ts'

const headingId = 'queue-heading'
const icons = { late: <CircleAlert size={16} />, soon: <Clock size={16} />, later: null }
const skeletonRows = [1, 2, 3, 4, 5, 6]
const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
const letterMoves: Record<string, number> = { ...moves, j: 1, k: -1 }

/** Everything that waits for an administrator, sorted by the time left until the promised time. */
export function QueueCard() {
  const [show, setShow] = useState<QueueFilter>('all')
  const queue = useQuery({ ...query(getQueue, { query: { show } }), placeholderData: keepPreviousData })
  const { data, error } = queue
  return (
    <section className="card desk-card queue-card" aria-labelledby={headingId}>
      {data && <QueueMascot queue={data} />}
      <div className="desk-card-head">
        <h2 id={headingId} tabIndex={-1}>
          Needs you
        </h2>
        {data && (show !== 'all' || countOf(data, 'all') > 0) && (
          <QueueFilters queue={data} show={show} onShow={setShow} />
        )}
      </div>
      {error && !data ? (
        <ErrorState
          title="Error loading data"
          message={messageOf(error)}
          pending={queue.isFetching}
          onRetry={() => void queue.refetch()}
        />
      ) : data ? (
        <QueueList queue={data} receivedAt={queue.dataUpdatedAt} show={show} />
      ) : (
        <div role="status" className="queue-skeleton">
          <span className="sr-only">Loading</span>
          {skeletonRows.map((row) => (
            <Skeleton key={row} className="h-11" />
          ))}
        </div>
      )}
    </section>
  )
}

const includesExact = (show: QueueFilter) => show === 'all' || show === 'payments'
const countOf = ({ totals, exact }: Queue, show: QueueFilter) =>
  queueFilters[show].kinds.reduce((sum, kind) => sum + totals[kind].count, includesExact(show) ? exact.count : 0)

function QueueFilters({
  queue,
  show,
  onShow,
}: {
  queue: Queue
  show: QueueFilter
  onShow: (next: QueueFilter) => void
}) {
  return (
    <ul className="desk-chips" aria-label="Filter by kind">
      {queueFilterNames.map((name) => (
        <li key={name}>
          <button type="button" className="desk-chip" aria-pressed={name === show} onClick={() => onShow(name)}>
            {queueFilters[name].label} <b className="num">{countOf(queue, name)}</b>
          </button>
        </li>
      ))}
    </ul>
  )
}

function QueueList({ queue, receivedAt, show }: { queue: Queue; receivedAt: number; show: QueueFilter }) {
  const list = useRef<HTMLDivElement>(null)
  const now = useServerTime(queue.now, receivedAt)
  const act = useQueueActions()
  const [hasLetterKeys] = useSearchKeySwitch()
  const { rows: pressed, reasons, press, finish, putBack } = usePressedRows()
  const [dialog, openDialog] = useOpenDialog<QueueItem>(headingId)

  const items = [
    ...queue.items.filter(({ key }) => !pressed.has(key)),
    ...[...pressed.values()].map(({ item }) => item),
  ].sort(byTimeLeft)
  const groups = Object.groupBy(items, (item) => groupOf(item, now))
  const firstLate = groups.late?.find(({ key }) => !pressed.has(key))
  const exactCount = includesExact(show) ? queue.exact.count : 0
  const more =
    countOf(queue, show) -
    exactCount -
    queue.items.reduce((sum, item) => sum + (item.kind === 'report' ? item.reports.length : 1), 0)

  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('.queue-action') ?? [])]
  /** Moves the focus from a finished row to the next button, unless the focus is already elsewhere. */
  const focusAfter = (row: HTMLElement | null) =>
    requestAnimationFrame(() => {
      const isElsewhere = document.activeElement !== document.body && !row?.contains(document.activeElement)
      if (!row || isElsewhere) return
      const others = buttons().filter((button) => !row.contains(button))
      const next = others.find((button) => row.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING)
      ;(next ?? others.at(-1) ?? document.getElementById(headingId))?.focus()
    })
  const buttonOf = ({ key }: QueueItem) =>
    document.getElementById(`queue-${key}`)?.querySelector<HTMLElement>('.queue-action')
  const undoWith = (item: QueueItem, undo: Undo) => async () => {
    try {
      await undo()
      putBack(item.key)
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) buttonOf(item)?.focus()
      })
    } catch (failure) {
      putBack(item.key, messageOf(failure))
      toast({ title: 'Nothing was undone', description: messageOf(failure), variant: 'destructive' })
    }
  }
  const onPress = async (item: QueueItem, button: HTMLElement) => {
    if (!actsImmediately(item)) return openDialog(item, button)
    const row = button.closest<HTMLElement>('li')
    const run = async () => {
      const { title, description, undo } = await act(item)
      toast({ title, description, action: undo && { label: 'Undo', onPress: () => void undoWith(item, undo)() } })
      return undo
    }
    if (await press(item, run)) focusAfter(row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = (hasLetterKeys ? letterMoves : moves)[event.key]
    const isTyping = event.target instanceof HTMLInputElement
    if (!move || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const all = buttons()
    const row = (event.target as HTMLElement).closest('li')
    const index = all.findIndex((button) => button === event.target || row?.contains(button))
    event.preventDefault()
    all[Math.min(all.length - 1, Math.max(0, index + move))]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the buttons of the rows
    <div ref={list} onKeyDown={onKeyDown}>
      {includesExact(show) && <ExactRow returnId={headingId} />}
      {items.length + exactCount === 0 && <QueueEmpty isFiltered={show !== 'all'} />}
      {(Object.keys(queueGroups) as QueueGroup[]).map((group) => {
        const found = groups[group]
        if (!found) return null
        return (
          <section key={group} aria-labelledby={`queue-${group}`}>
            <h3 id={`queue-${group}`} className="queue-group" data-group={group}>
              {icons[group]}
              {queueGroups[group]} <span className="num">{found.length}</span>
            </h3>
            <ol>
              {found.map((item) => {
                const row = pressed.get(item.key)
                return (
                  <QueueRow
                    key={item.key}
                    item={item}
                    now={now}
                    state={row?.state ?? 'waiting'}
                    reason={reasons.get(item.key)}
                    isFirst={item.key === firstLate?.key}
                    onPress={(button) => void onPress(item, button)}
                    onUndo={row?.undo && undoWith(item, row.undo)}
                    onSent={(sent) => {
                      finish(item)
                      focusAfter(sent)
                    }}
                  />
                )
              })}
            </ol>
          </section>
        )
      })}
      {items.length > 0 && (
        <p className="desk-card-foot">
          <span>
            Sorted by time left.
            {hasLetterKeys && (
              <span className="queue-keys">
                {' '}
                <kbd className="kbd">J</kbd> <kbd className="kbd">K</kbd> move between the rows.
              </span>
            )}
          </span>
          {more > 0 && <span>{more} more with more time left.</span>}
        </p>
      )}
      {dialog && <QueueDialog key={dialog.openCount} item={dialog.subject} returnTo={dialog.returnTo} />}
    </div>
  )
}
