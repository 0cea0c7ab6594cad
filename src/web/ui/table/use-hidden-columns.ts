import { useCallback, useMemo } from 'react'
import { useLocalStorage } from '../use-local-storage.ts'

/** The ids of the hidden columns of a table, stored in this browser; empty until hydration. */
export function useHiddenColumns(
  table: string,
): [hidden: readonly string[], setHidden: (ids: readonly string[]) => void] {
  const [text, store] = useLocalStorage(`columns:${table}`)
  const hidden = useMemo(() => text.split(',').filter(Boolean), [text])
  const setHidden = useCallback((ids: readonly string[]) => store(ids.join(',')), [store])
  return [hidden, setHidden]
}
