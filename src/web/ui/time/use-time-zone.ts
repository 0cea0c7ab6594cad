import { useSyncExternalStore } from 'react'

const subscribe = () => () => undefined
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the time zone of the browser; UTC on the server and during hydration. */
export const useTimeZone = (): string =>
  useSyncExternalStore(
    subscribe,
    () => browserZone(),
    () => 'UTC',
  )
