import { useSyncExternalStore } from 'react'
import { liveStatus } from '#web/live.ts'

/** Whether the live connection is up, so that the server pushes changes. While it is down, the caller has to poll. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(liveStatus.subscribe, liveStatus.get, liveStatus.onServer) === 'connected'
