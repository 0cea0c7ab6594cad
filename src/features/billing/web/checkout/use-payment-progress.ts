import { useQuery } from '@tanstack/react-query'
import { getPaymentProgress } from '#features/payments/contract.ts'
import { query } from '#web/data.ts'
import { useIsLive } from '../invoice/use-is-live.ts'

const pollMs = 10_000

/** Returns the progress of the payment for an open order. Polls while the live connection is down. */
export function usePaymentProgress(invoiceNumber: string) {
  const isLive = useIsLive()
  return useQuery({
    ...query(getPaymentProgress, { params: { invoiceNumber } }),
    refetchInterval: isLive ? false : pollMs,
  })
}
