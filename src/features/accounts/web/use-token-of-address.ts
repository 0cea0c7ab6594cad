import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * The token of a mailed link, undefined until it is read, null when the address has none. It is in the fragment, which browsers send to no
 * server; links of earlier releases have it in the query. It is taken out of the address at once: what stays there ends in histories and on screens.
 */
export function useTokenOfAddress(path: '/reset-password' | '/verify-email'): string | null | undefined {
  const { token: asked } = useSearch({ from: path })
  const fragment = useLocation({ select: ({ hash }) => hash })
  const navigate = useNavigate()
  const [kept, setKept] = useState<string | null | undefined>(asked)
  useEffect(() => {
    const token = new URLSearchParams(fragment).get('token') ?? asked
    if (!token) return setKept((known) => known ?? null)
    setKept(token)
    void navigate({ to: path, search: {}, hash: '', replace: true, resetScroll: false })
  }, [asked, fragment, navigate, path])
  return kept
}
