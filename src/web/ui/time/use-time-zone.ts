import { useSyncExternalStore } from 'react'

const subscribe = () => () => undefined
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zone of the viewer; UTC on the server and during hydration. */
export const useTimeZone = (): string =>
  useSyncExternalStore(
    subscribe,
    () => browserZone(),
    () => 'UTC',
  )
