import { type ComponentType, createContext } from 'react'

export interface ListViewsProps {
  /** The label of the list in lower case. */
  list: string
  hiddenColumns: readonly string[]
  onHiddenColumns: (ids: string[]) => void
}

/** The menu of saved views, shown beside the search of each list; undefined outside of the admin area. */
export const ListViewsContext = createContext<ComponentType<ListViewsProps> | undefined>(undefined)
