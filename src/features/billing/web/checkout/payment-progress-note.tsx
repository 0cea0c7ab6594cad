import { format, isToday } from 'date-fns'
import { useEffect, useState } from 'react'
import type { PaymentProgress } from '#features/payments/contract.ts'
import { railNames } from '#features/payments/rules.ts'
import { formatCents } from '#kit/money.ts'
import { Note } from '#web/ui/note.tsx'
import { usePaymentProgress } from './use-payment-progress.ts'

const minuteMs = 60_000

/** Shows that the payment of an open order was found, or when it will be checked and how long it has waited. Renders nothing until this is known. */
export function PaymentProgressNote({ invoiceNumber, className }: { invoiceNumber: string; className?: string }) {
  const { data, dataUpdatedAt } = usePaymentProgress(invoiceNumber)
  const now = useNow()
  if (data?.found)
    return (
      <Note tone="ok" role="status" className={className}>
        <b>We found your payment:</b> {foundText(data.found)} Please do not send it again. We will confirm it next.
      </Note>
    )
  if (!data?.waiting) return null
  const passed = Math.max(0, Math.floor((now - dataUpdatedAt) / minuteMs))
  return (
    <Note tone={data.waiting.isLate ? 'warn' : 'info'} className={className}>
      {waitingText(data.waiting, passed)}
    </Note>
  )
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

function foundText({ amount, rail, paidAt, paidOn }: NonNullable<PaymentProgress['found']>): string {
  const when = paidAt ? timeText(new Date(paidAt)) : `on ${format(new Date(`${paidOn}T12:00:00`), 'MMM d')}`
  return `${formatCents(amount)} from ${railNames[rail]} ${when}.`
}

function waitingText(waiting: NonNullable<PaymentProgress['waiting']>, passed: number): string {
  const { until, minutes, typicalMinutes, before, isLate } = waiting
  const waited = minutes + passed
  const queue =
    before === 0
      ? 'Your payment is next.'
      : `${before === 1 ? '1 payment is' : `${before >= 100 ? '100 or more' : before} payments are`} ahead of yours.`
  const sentences =
    isLate || Date.now() > Date.parse(until)
      ? [`Sorry, we are late: we planned to check your payment ${timeText(new Date(until))}.`, queue]
      : [
          `We will check your payment ${timeText(new Date(until))} at the latest.`,
          waited >= 1 && `You have waited ${duration(waited)}.`,
          typicalMinutes !== null &&
            `Half of the latest payments were checked within ${duration(Math.max(1, typicalMinutes))}.`,
          queue,
        ]
  return sentences.filter(Boolean).join(' ')
}

const timeText = (date: Date): string =>
  isToday(date) ? `at ${format(date, 'h:mm a')}` : `on ${format(date, 'MMM d')} at ${format(date, 'h:mm a')}`

/** Formats minutes as `12 minutes`, `2 hours` or `3 days`, rounded down. */
function duration(minutes: number): string {
  const [count, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 2_880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1_440), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
