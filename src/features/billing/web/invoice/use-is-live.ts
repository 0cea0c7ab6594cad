import { useSyncExternalStore } from 'react'
import { liveStatus } from '#web/live.ts'

/** Whether the live connection is up, so that changes are pushed. If it is down, poll instead. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(liveStatus.subscribe, liveStatus.get, liveStatus.onServer) === 'connected'
