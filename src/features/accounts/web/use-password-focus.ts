import { useEffect, useState } from 'react'

const isPassword = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.autocomplete.endsWith('password')

/** Whether a password field has the focus. */
export function usePasswordFocus(): boolean {
  const [focused, setFocused] = useState(false)
  useEffect(() => {
    const enter = (event: FocusEvent) => setFocused(isPassword(event.target))
    const leave = () => setFocused(false)
    document.addEventListener('focusin', enter)
    document.addEventListener('focusout', leave)
    return () => {
      document.removeEventListener('focusin', enter)
      document.removeEventListener('focusout', leave)
    }
  }, [])
  return focused
}
