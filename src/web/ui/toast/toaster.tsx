import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { buttonClass } from '../button/button-class.ts'
import type { ToastMessage } from './toast.ts'

const manager = Toast.createToastManager()
const durationMs = 5000
const queuedDurationMs = 3000
// Screen readers announce a live region only when it existed before its text. This is also the gap between two toasts.
const pauseMs = 100

let queue: readonly ToastMessage[] = []
let visible: string | undefined

function showNext(): void {
  const [message, ...rest] = queue
  if (!message || visible) return
  queue = rest
  visible = manager.add({
    title: message.title,
    description: message.description,
    type: message.variant ?? 'default',
    timeout: rest.length > 0 ? queuedDurationMs : durationMs,
    onRemove: () => {
      visible = undefined
      setTimeout(showNext, pauseMs)
    },
  })
}

/** Renders the toasts: one at a time for five seconds, longer while hovered or focused. F6 moves the focus to it. */
export function Toaster({ batch }: { batch: readonly ToastMessage[] }) {
  useEffect(() => {
    queue = batch
    if (visible) manager.close(visible)
    else setTimeout(showNext, pauseMs)
  }, [batch])

  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((item) => {
    const failed = item.type === 'destructive'
    return (
      <Toast.Root key={item.id} toast={item} className="toast">
        {failed ? <CircleAlert size={20} /> : <CircleCheck size={20} />}
        <div role={failed ? 'alert' : undefined}>
          <Toast.Title render={<p />} className="toast-title" />
          <Toast.Description />
        </div>
        {/* The library hides the button from screen readers while the toast is not hovered, although it can be focused. */}
        <Toast.Close aria-hidden={false} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          Dismiss
        </Toast.Close>
      </Toast.Root>
    )
  })
}
