import { useEffect, useState } from 'react'
import { SearchInput } from '#web/ui/table/search-input.tsx'
import { searchText } from './search-text.ts'

const delayMs = 250

interface Props {
  value: string | undefined
  onSearch: (search: string | undefined) => void
}

/** A field to search the payments of a tab by payer, note, transaction number or order number. It searches shortly after the last keystroke. */
export function PaymentSearch({ value, onSearch }: Props) {
  const [typed, setTyped] = useState(value ?? '')
  const [sent, setSent] = useState(value)
  const [shown, setShown] = useState(value)
  // The search was changed by a link or by the URL, not by typing in this field.
  if (value !== shown) {
    setShown(value)
    if (value !== sent) {
      setSent(value)
      setTyped(value ?? '')
    }
  }
  const wanted = searchText(typed)
  useEffect(() => {
    if (wanted === value) return undefined
    const timer = setTimeout(() => {
      setSent(wanted)
      onSearch(wanted)
    }, delayMs)
    return () => clearTimeout(timer)
  })
  return (
    <div className="p-3">
      <SearchInput
        className="w-full"
        aria-label="Search payments"
        placeholder="Payer, note or number"
        value={typed}
        maxLength={120}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  )
}
