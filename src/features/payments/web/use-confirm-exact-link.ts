import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

/** The address of the payment desk with the confirmation of exact matches opened. */
export const confirmExactAddress = '/admin/payments?confirm=exact'

/** Calls `open` once if the address asks for the confirmation of exact matches, and removes that from the address. */
export function useConfirmAddress(open: () => void): void {
  const { confirm }: { confirm?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once for an address
  useEffect(() => {
    if (confirm !== 'exact') return
    open()
    void navigate({ to: '/admin/payments', search: {} as never, replace: true, resetScroll: false })
  }, [confirm])
}
