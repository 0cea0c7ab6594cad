import { useEffect, useState } from 'react'
import { SearchInput } from '#web/ui/table/search-input.tsx'

const least = 3
const delayMs = 250

interface Props {
  value: string | undefined
  onSearch: (search: string | undefined) => void
}

/** Searches the payments of a tab by payer, note, transaction number or order number, a moment after the last key. */
export function PaymentSearch({ value, onSearch }: Props) {
  const [typed, setTyped] = useState(value ?? '')
  const search = typed.trim()
  const wanted = search.length < least ? undefined : search
  useEffect(() => {
    if (wanted === value) return undefined
    const timer = setTimeout(() => onSearch(wanted), delayMs)
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
