import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Returns the token of a one-time link; undefined until it is read, null if the URL has none. The token is in the fragment, which browsers do not
 * send to servers; links from earlier releases have it in the query. The token is removed from the URL immediately, to keep it out of history and
 * screenshots.
 */
export function useLinkToken(path: '/reset-password' | '/verify-email' | '/tv-login'): string | null | undefined {
  const { token: queryToken } = useSearch({ from: path }) as { token?: string }
  const fragment = useLocation({ select: ({ hash }) => hash })
  const navigate = useNavigate()
  const [stored, setStored] = useState<string | null | undefined>(queryToken)
  useEffect(() => {
    const token = new URLSearchParams(fragment).get('token') ?? queryToken
    if (!token) return setStored((current) => current ?? null)
    setStored(token)
    void navigate({ to: path, search: {}, hash: '', replace: true, resetScroll: false })
  }, [queryToken, fragment, navigate, path])
  return stored
}
