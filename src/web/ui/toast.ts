export interface ToastMessage {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
}

type Listener = (messages: readonly ToastMessage[]) => void

let listener: Listener | undefined
let waiting: readonly ToastMessage[] = []

/**
 * Shows one toast, replacing what is there. Given several, they belong to one action and follow
 * each other, each for at least three seconds (decisions: Screens).
 */
export function toast(...messages: [ToastMessage, ...ToastMessage[]]): void {
  if (listener) listener(messages)
  else waiting = messages
}

/** For the toast outlet alone: receives every call, also one that came before it was there. */
export function onToast(next: Listener): () => void {
  listener = next
  if (waiting.length > 0) next(waiting)
  waiting = []
  return () => {
    if (listener === next) listener = undefined
  }
}
