import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { pagesOf } from '#web/pages-of.ts'
import { announce } from '#web/ui/announce.ts'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { TabPanel } from '#web/ui/tabs/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import { listPayments, type PaymentDetail } from '../admin-contract.ts'
import { deskTabs } from '../rules.ts'
import { type DeskUrlState, deskSearchParams } from './list/desk-url.ts'
import { NothingToDo } from './list/nothing-to-do.tsx'
import { PaymentKeys } from './list/payment-keys.tsx'
import { PaymentList } from './list/payment-list.tsx'
import { PaymentSearch } from './list/payment-search.tsx'
import { searchText } from './list/search-text.ts'
import { MailboxFooter } from './mailbox-footer.tsx'
import { PaymentDeskHead } from './payment-desk-head.tsx'
import { PaymentDetailPanel } from './payment-detail-panel.tsx'
import { useConfirmExactLink } from './use-confirm-exact-link.ts'
import { useDecisions } from './use-decisions.ts'
import { useDeskKeys } from './use-desk-keys.ts'

const RecordPaymentDialog = lazy(() =>
  import('./record-payment-dialog.tsx').then((module) => ({ default: module.RecordPaymentDialog })),
)
const MatchInvoiceDialog = lazy(() =>
  import('./match-invoice-dialog.tsx').then((module) => ({ default: module.MatchInvoiceDialog })),
)
const ConfirmExactDialog = lazy(() =>
  import('./confirm-exact-dialog.tsx').then((module) => ({ default: module.ConfirmExactDialog })),
)
const RefundSentDialog = lazy(() =>
  import('./refund-sent-dialog.tsx').then((module) => ({ default: module.RefundSentDialog })),
)
const recordId = 'record-payment-button'
const tabId = 'payments'

interface Props {
  /** More buttons beside Record Payment. */
  actions?: ReactNode
}

/** The payment desk: the list of payments, the evidence for the selected payment, and what a decision would do. */
export function PaymentDesk({ actions }: Props) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const tab = deskTabs.find((each) => each === search.tab) ?? 'waiting'
  const wantedId = Number(search.payment) || undefined
  const text = searchText(search.search)
  const alike = typeof search.alike === 'string' ? search.alike : undefined
  const [chosen, setChosen] = useState<{ paymentId: number; invoiceId: number }>()
  const [recording, openRecording] = useOpenDialog<true>(recordId)
  const [matching, openMatching] = useOpenDialog<number>(recordId)
  const [exact, openExact] = useOpenDialog<true>(recordId)
  useConfirmExactLink(() => openExact(true, document.getElementById(recordId)!))
  const [refund, openRefund] = useOpenDialog<PaymentDetail>(recordId)
  const desk = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef(false)

  const [pageCount, setPageCount] = useState(1)
  const list = useQuery({
    ...pagesOf(
      listPayments,
      pageCount,
      (after) => ({ query: { tab, ...(text && { search: text }), ...(alike && { alike }), ...(after && { after }) } }),
      ({ next }) => next,
    ),
    refetchOnMount: 'always',
  })
  const first = list.data?.[0]
  const rows = list.data?.flatMap((page) => page.rows) ?? []
  const selectedId = wantedId ?? rows[0]?.id
  const index = rows.findIndex(({ id }) => id === selectedId)
  const go = (next: DeskUrlState) =>
    void navigate({
      to: '/admin/payments',
      search: deskSearchParams({ tab, search: text, alike }, next),
      replace: true,
      resetScroll: false,
    })
  const select = (id: number | undefined, focus = true) => {
    wantsFocus.current = focus
    go({ payment: id })
  }
  const selectAfter = (id: number) => {
    const at = rows.findIndex((row) => row.id === id)
    const next = rows[at + 1] ?? rows[at - 1]
    // On a narrow screen the list is shown again, so that the administrator chooses the next payment there.
    select(isNarrow() ? undefined : next?.id)
  }
  const { run, undo, undoLatest, isPending } = useDecisions(
    ({ id }) => tab === 'waiting' && selectAfter(id),
    ({ id }) => go({ tab: 'waiting', payment: id, search: undefined }),
  )
  const move = (by: 1 | -1) => {
    const next = rows[index + by]
    if (next) select(next.id)
    else announce(by > 0 ? 'This is the last payment.' : 'This is the first payment.')
  }
  const mayDecide = useMay()('payments.decide')
  const { isArmed, disarm } = useDeskKeys({
    desk,
    row: rows[index],
    move,
    confirm: () => desk.current?.querySelector<HTMLButtonElement>('#payment-confirm')?.click(),
    match: () =>
      mayDecide &&
      selectedId &&
      openMatching(selectedId, document.getElementById(`payment-${selectedId}`) ?? document.body),
    undo: () => mayDecide && undoLatest(),
  })

  // After a keystroke or a decision, focuses the selected row when it is rendered.
  useEffect(() => {
    if (!wantsFocus.current || !selectedId) return
    const row = document.getElementById(`payment-${selectedId}`)
    if (!row) return
    wantsFocus.current = false
    row.focus()
    row.scrollIntoView({ block: 'nearest' })
  })

  const counts = first?.counts
  const total = first && first.ready.count + first.decide.count
  return (
    <div ref={desk} className="payment-desk" data-view={wantedId ? 'detail' : 'list'}>
      <PaymentDeskHead
        groups={first}
        actions={actions}
        recordId={recordId}
        onRecord={(button) => openRecording(true, button)}
      />
      <div className="payment-tabs">
        <Tabs
          id={tabId}
          label="Payments"
          value={tab}
          onChange={(next) => {
            setPageCount(1)
            go({ tab: next })
          }}
          tabs={[
            { value: 'waiting', label: 'To do', ...(total !== undefined && { count: total }) },
            { value: 'held', label: 'Held', ...(counts && { count: counts.held }) },
            { value: 'set_aside', label: 'Set aside', ...(counts && { count: counts.set_aside }) },
            { value: 'refunds', label: 'Refunds to send', ...(counts && { count: counts.refunds }) },
            { value: 'done', label: 'Done' },
          ]}
        />
      </div>
      <TabPanel id={tabId} value={tab} className="payment-columns">
        <div className="card payment-list">
          <PaymentSearch
            value={text}
            onSearch={(next) => {
              setPageCount(1)
              go({ search: next })
            }}
          />
          {list.error && !list.data ? (
            <ErrorState
              title="The payments could not be loaded"
              message={messageOf(list.error)}
              onRetry={() => list.refetch()}
            />
          ) : first ? (
            <PaymentList
              tab={tab}
              isSearch={text !== undefined}
              rows={rows}
              alike={first.alike}
              chosenGroup={alike}
              onChooseGroup={(key) => go({ alike: key, payment: undefined })}
              groups={first}
              selectedId={selectedId}
              hasMore={typeof list.data?.at(-1)?.next === 'string'}
              pending={list.isPlaceholderData}
              onSelect={(id) => {
                disarm()
                select(id, false)
              }}
              onConfirmAll={(button) => openExact(true, button)}
              onMore={() => setPageCount(pageCount + 1)}
              nothingToDo={
                <NothingToDo idle={first.idle} upload={actions} onRecord={(button) => openRecording(true, button)} />
              }
            />
          ) : (
            <p className="payment-loading">
              <Spinner /> Loading payments…
            </p>
          )}
          <MailboxFooter />
        </div>
        {selectedId && (
          <div className="card payment-panel">
            <PaymentDetailPanel
              paymentId={selectedId}
              invoiceId={chosen?.paymentId === selectedId ? chosen.invoiceId : undefined}
              armed={isArmed}
              promiseMinutes={first?.promiseMinutes}
              pending={isPending}
              onBack={() => go({ payment: undefined })}
              onRun={(payment, choice) => {
                disarm()
                run(payment, choice)
              }}
              onUndo={undo}
              onMatch={(button) => openMatching(selectedId, button)}
              onSkip={() => move(1)}
              onRefundSent={openRefund}
            />
          </div>
        )}
      </TabPanel>
      <PaymentKeys />
      <Suspense>
        {recording && (
          <RecordPaymentDialog
            key={`record-${recording.openCount}`}
            returnTo={recording.returnTo}
            onRecorded={({ id }) => go({ tab: 'waiting', payment: id, search: undefined })}
          />
        )}
        {matching && (
          <MatchInvoiceDialog
            key={`match-${matching.openCount}`}
            returnTo={matching.returnTo}
            onPick={({ id, invoiceNumber }) => {
              setChosen({ paymentId: matching.subject, invoiceId: id })
              announce(`${invoiceNumber} is compared with the payment.`)
            }}
          />
        )}
        {exact && <ConfirmExactDialog key={`exact-${exact.openCount}`} returnTo={exact.returnTo} />}
        {refund && (
          <RefundSentDialog key={`refund-${refund.openCount}`} payment={refund.subject} returnTo={refund.returnTo} />
        )}
      </Suspense>
    </div>
  )
}

const isNarrow = (): boolean => matchMedia('(max-width: 64rem)').matches
