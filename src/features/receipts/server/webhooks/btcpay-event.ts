import { type EventReading, idOf, parseEvent, textOf, timeOf } from './read-event.ts'

const testMark = '__test__'

/**
 * Parses an event of BTCPay Server. Events contain no amount, so an event about a settled invoice waits until the amount is read from the server. `storeId` is
 * the configured store. Returns null if the body is not an event.
 */
export function readBtcpayEvent(raw: Uint8Array, storeId: string): EventReading | null {
  const event = parseEvent(raw)
  // A repeated delivery contains its own id and the id of the first delivery.
  const eventId = idOf(event?.originalDeliveryId) ?? idOf(event?.deliveryId)
  const type = textOf(event?.type, 100)
  const at = timeOf(event?.timestamp)
  if (!event || !eventId || !type || !at) return null
  const subject = idOf(event.invoiceId) ?? ''
  const isTest = [event.originalDeliveryId, event.deliveryId, event.invoiceId].some((id) =>
    String(id).startsWith(testMark),
  )
  const report = isTest ? ({ outcome: 'test', reason: null } as const) : reportOf(event, type, subject, storeId)
  return { eventId, type, subject, at, facts: null, ...report }
}

type EventReport = Pick<EventReading, 'outcome' | 'reason'>
function reportOf(event: Record<string, unknown>, type: string, subject: string, storeId: string): EventReport {
  if (event.storeId !== storeId) return { outcome: 'ignored', reason: 'other_store' }
  if (!subject) return { outcome: 'ignored', reason: 'unknown_event' }
  switch (type) {
    case 'InvoiceSettled':
      return { outcome: 'waiting', reason: null }
    case 'InvoiceExpired':
      return event.partiallyPaid === true
        ? { outcome: 'review', reason: 'partial' }
        : { outcome: 'ignored', reason: 'unpaid_invoice' }
    case 'InvoiceExpiredPaidPartial':
      return { outcome: 'review', reason: 'partial' }
    case 'InvoicePaidAfterExpiration':
      return { outcome: 'review', reason: 'late' }
    case 'InvoiceInvalid':
      return { outcome: 'review', reason: 'invalid' }
    default:
      return { outcome: 'ignored', reason: 'unknown_event' }
  }
}
