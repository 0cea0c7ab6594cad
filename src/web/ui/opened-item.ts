import { createContext, useEffect } from 'react'

const opened: string[] = []
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** The item that this page has open, such as `invoice:12`; for `useSyncExternalStore`. */
export const openedItem = {
  get: (): string | null => opened.at(-1) ?? null,
  onServer: (): null => null,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/** Marks an item as open until `item` changes or the component unmounts, so that other administrators see who is working on it. */
export function useOpenedItem(item: string | null): void {
  useEffect(() => {
    if (item === null) return
    opened.push(item)
    notify()
    return () => {
      opened.splice(opened.lastIndexOf(item), 1)
      notify()
    }
  }, [item])
}

/** Another administrator who has an item open. */
export interface Holder {
  id: number
  username: string
}
/** Maps each item that another administrator has open to that administrator. */
export const HeldItemsContext = createContext<ReadonlyMap<string, Holder>>(new Map())
