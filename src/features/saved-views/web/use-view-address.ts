import { useNavigate, useSearch } from '@tanstack/react-router'

/** URL parameters that are not part of a view. */
const excluded = new Set(['tab', 'page', 'open', 'section'])

/** Returns the parameters of the current URL that a view stores, and a function that replaces them. */
export function useViewAddress(): [query: Record<string, string>, apply: (query: Record<string, string>) => void] {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const query = Object.fromEntries(
    Object.entries(address)
      .filter(([name, value]) => !excluded.has(name) && (typeof value === 'string' || typeof value === 'number'))
      .map(([name, value]) => [name, String(value)]),
  )
  const apply = (next: Record<string, string>) =>
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({ tab: before.tab, ...next })) as never,
      resetScroll: false,
    })
  return [query, apply]
}
