import { type ReactNode, useEffect, useRef } from 'react'
import { announce } from '../announce.ts'
import type { Row } from './data-table-features.ts'

/** Row selection for bulk actions. */
export interface Selection<R extends Row> {
  /** The selected rows as last loaded, including those on other pages. */
  selected: readonly R[]
  onChange: (rows: readonly R[]) => void
  /** Rows that return false get no checkbox. */
  canSelect?: (row: R) => boolean
  /** Completes "Select …" for screen readers. */
  nameOf: (row: R) => string
  /** The buttons of the bulk actions. */
  actions: ReactNode
}

/** The selection on the current page. */
export interface PageSelection<R extends Row> {
  has: (row: R) => boolean
  can: (row: R) => boolean
  nameOf: (row: R) => string
  toggle: (row: R) => void
  /** The number of selected rows on this page. */
  onPage: number
  possible: number
  togglePage: () => void
  clear: () => void
}

/**
 * Keeps a selection in line with the loaded rows: replaces changed rows, removes rows that can no longer be selected, and clears the selection
 * when `filterKey` (the search and filters) changes. Returns undefined without a selection.
 */
export function usePageSelection<R extends Row>(
  selection: Selection<R> | undefined,
  rows: readonly R[],
  noun: string,
  filterKey: string,
): PageSelection<R> | undefined {
  const { selected = [], onChange, canSelect, nameOf } = selection ?? {}
  const before = useRef(filterKey)
  const fresh = new Map(rows.map((row) => [row.id, row]))
  const can = (row: R) => canSelect?.(row) ?? true

  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection is checked when the rows or the search change
  useEffect(() => {
    if (selected.length === 0) {
      before.current = filterKey
      return
    }
    const kept = before.current === filterKey ? selected.map((row) => fresh.get(row.id) ?? row).filter(can) : []
    before.current = filterKey
    if (kept.length !== selected.length || kept.some((row, index) => row !== selected[index])) onChange?.(kept)
  }, [rows, filterKey])

  if (!onChange || !nameOf) return undefined
  const ids = new Set(selected.map((row) => row.id))
  const possible = rows.filter(can)
  const onPage = possible.filter((row) => ids.has(row.id)).length
  const choose = (next: readonly R[]) => {
    onChange(next)
    announce(`${next.length} ${noun} selected`)
  }
  return {
    has: (row) => ids.has(row.id),
    can,
    nameOf,
    toggle: (row) => choose(ids.has(row.id) ? selected.filter(({ id }) => id !== row.id) : [...selected, row]),
    onPage,
    possible: possible.length,
    togglePage: () =>
      choose(
        onPage === possible.length
          ? selected.filter(({ id }) => !fresh.has(id))
          : [...selected, ...possible.filter((row) => !ids.has(row.id))],
      ),
    clear: () => choose([]),
  }
}
