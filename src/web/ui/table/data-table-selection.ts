import { type ReactNode, useEffect, useRef } from 'react'
import { announce } from '../announce.ts'
import type { Row } from './data-table-features.ts'

/** Rows can be chosen for something that is done with several at once. */
export interface Selection<R extends Row> {
  /** The chosen rows as they were last seen, also those on other pages of the list. */
  selected: readonly R[]
  onChange: (rows: readonly R[]) => void
  /** Rows with which nothing can be done get no box. */
  canSelect?: (row: R) => boolean
  /** Completes "Select …" for screen readers. */
  nameOf: (row: R) => string
  /** Buttons that do something with the selected rows. */
  actions: ReactNode
}

/** How a page of rows and a selection go together; nothing without a selection. */
export interface PageSelection<R extends Row> {
  has: (row: R) => boolean
  can: (row: R) => boolean
  nameOf: (row: R) => string
  toggle: (row: R) => void
  /** Of this page. */
  onPage: number
  possible: number
  togglePage: () => void
  clear: () => void
}

/** Keeps a selection true to what the pages show: rows that changed are replaced, rows that can no longer be chosen fall out, and another search or filter starts anew. */
export function usePageSelection<R extends Row>(
  selection: Selection<R> | undefined,
  rows: readonly R[],
  noun: string,
  narrowedBy: string,
): PageSelection<R> | undefined {
  const { selected = [], onChange, canSelect, nameOf } = selection ?? {}
  const before = useRef(narrowedBy)
  const fresh = new Map(rows.map((row) => [row.id, row]))
  const can = (row: R) => canSelect?.(row) ?? true

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen is looked through when the rows or the search change
  useEffect(() => {
    if (selected.length === 0) {
      before.current = narrowedBy
      return
    }
    const kept = before.current === narrowedBy ? selected.map((row) => fresh.get(row.id) ?? row).filter(can) : []
    before.current = narrowedBy
    if (kept.length !== selected.length || kept.some((row, index) => row !== selected[index])) onChange?.(kept)
  }, [rows, narrowedBy])

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
