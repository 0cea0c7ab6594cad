import { useCallback, useMemo } from 'react'
import { useStoredValue } from '../form/use-stored-value.ts'

/** The columns this browser hides in a table, by id; none until hydration. */
export function useHiddenColumns(
  table: string,
): [hidden: readonly string[], setHidden: (ids: readonly string[]) => void] {
  const [text, keep] = useStoredValue(`columns:${table}`)
  const hidden = useMemo(() => text.split(',').filter(Boolean), [text])
  const setHidden = useCallback((ids: readonly string[]) => keep(ids.join(',')), [keep])
  return [hidden, setHidden]
}
