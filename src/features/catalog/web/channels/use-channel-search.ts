import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ChangeEvent, useDeferredValue, useEffect, useRef, useState } from 'react'

/** The search text of /channels. It filters while it is typed and is kept in the URL, which also works without scripts. */
export function useChannelSearch() {
  const { q = '' } = useSearch({ from: '/channels' })
  const navigate = useNavigate()
  const [typed, setTyped] = useState(q)
  const [inAddress, setInAddress] = useState(q)
  // The Back button and links change the URL.
  if (q !== inAddress) {
    setInAddress(q)
    if (q !== typed.trim()) setTyped(q)
  }
  const change = (text: string) => {
    setTyped(text)
    setInAddress(text.trim())
    void navigate({
      to: '/channels',
      search: (before) => ({ ...before, q: text.trim() || undefined }),
      replace: true,
      resetScroll: false,
    })
  }
  const input = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads what was typed before hydration, once
  useEffect(() => {
    const before = input.current?.value ?? ''
    if (before !== typed) change(before)
  }, [])
  return {
    typed,
    /** The text to filter by. It may lag behind the field on a slow device. */
    search: useDeferredValue(typed),
    clear: () => {
      change('')
      input.current?.focus()
    },
    field: { ref: input, value: typed, onChange: (event: ChangeEvent<HTMLInputElement>) => change(event.target.value) },
  }
}
