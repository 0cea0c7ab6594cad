import { useEffect, useState } from 'react'

export type ReadyNotice = { state: 'unavailable' | 'off' | 'on' | 'refused'; request: () => void }

/** Chrome on Android has the interface, but only service workers may use it there. */
const isAvailable = () =>
  'Notification' in window && Notification.permission !== 'denied' && !/Android/i.test(navigator.userAgent)

/** A notification of the browser when the TV login becomes ready while this page is open in the background. It contains no login. */
export function useReadyNotice(isReady: boolean, title: string): ReadyNotice {
  const [state, setState] = useState<ReadyNotice['state']>('unavailable')
  useEffect(() => {
    if (isAvailable()) setState('off')
  }, [])
  useEffect(() => {
    if (!isReady || state !== 'on') return
    setState('off')
    if (!document.hasFocus()) new Notification(title)
  }, [isReady, state, title])
  const request = () =>
    void Notification.requestPermission().then((permission) => setState(permission === 'granted' ? 'on' : 'refused'))
  return { state, request }
}
