import { useEffect, useRef, useState } from 'react'
import { SearchInput } from './search-input.tsx'
import { searchKey, useSearchKey, useSearchKeySwitch } from './use-search-key.ts'

interface Props {
  /** The current search from the URL. */
  value: string
  onSearch: (search: string, how: 'push' | 'replace') => void
  placeholder: string
}

const debounceMs = 200

/** Searches while typing. The first change adds a history entry and later ones replace it, so that Back undoes the search. */
export function DataTableSearch({ value, onSearch, placeholder }: Props) {
  const [draft, setDraft] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The searches that were written to the URL but have not come back as `value` yet. When one comes back, it must not overwrite the input.
  const sentValues = useRef([value])
  const typing = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const [areKeysOn] = useSearchKeySwitch()
  useSearchKey(field, areKeysOn)

  useEffect(() => {
    const known = sentValues.current.indexOf(value)
    if (known >= 0) sentValues.current.splice(0, known)
    else {
      clearTimeout(timer.current)
      sentValues.current = [value]
      typing.current = false
      setDraft(value)
    }
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const search = (text: string) => {
    clearTimeout(timer.current)
    const next = text.trim()
    if (next === sentValues.current.at(-1)) return
    sentValues.current.push(next)
    onSearch(next, typing.current ? 'replace' : 'push')
    typing.current = true
  }

  return (
    <SearchInput
      ref={field}
      className="table-search"
      shortcut={areKeysOn ? searchKey : undefined}
      placeholder={placeholder}
      maxLength={254}
      value={draft}
      onChange={({ target }) => {
        setDraft(target.value)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => search(target.value), debounceMs)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(draft)
      }}
      onBlur={() => {
        search(draft)
        typing.current = false
      }}
    />
  )
}
