import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** The token of a mailed link. It is taken out of the address at once: what stays there ends in histories and on screens. */
export function useTokenOfAddress(path: '/reset-password' | '/verify-email'): string | undefined {
  const { token } = useSearch({ from: path })
  const navigate = useNavigate()
  const [kept, setKept] = useState(token)
  if (token && token !== kept) setKept(token)
  useEffect(() => {
    if (token) void navigate({ to: path, search: {}, replace: true, resetScroll: false })
  }, [token, navigate, path])
  return kept
}
