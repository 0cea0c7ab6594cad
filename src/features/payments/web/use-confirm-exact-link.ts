import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

/** The URL that opens the payment desk with the dialog to confirm exact matches. */
export const confirmExactUrl = '/admin/payments?confirm=exact'

/** Calls `open` once if the page was opened with `confirmExactUrl`, and removes the parameter from the URL. */
export function useConfirmExactLink(open: () => void): void {
  const { confirm }: { confirm?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once for a URL
  useEffect(() => {
    if (confirm !== 'exact') return
    open()
    void navigate({ to: '/admin/payments', search: {} as never, replace: true, resetScroll: false })
  }, [confirm])
}
