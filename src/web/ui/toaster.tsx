import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { buttonClass } from './button-class.ts'
import type { ToastMessage } from './toast.ts'

const manager = Toast.createToastManager()
const lastingMs = 5000
const followedMs = 3000
// A live region is read only when it stood there before its text; this also parts one toast from the next.
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
    timeout: rest.length > 0 ? followedMs : lastingMs,
    onRemove: () => {
      visible = undefined
      setTimeout(showNext, pauseMs)
    },
  })
}

/** The visible side of `toast()`: one at a time, five seconds, held while hovered or focused. F6 leads to it. */
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
        {/* The library hides it from readers while the pointer is elsewhere, and it would take the focus all the same. */}
        <Toast.Close aria-hidden={false} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          Dismiss
        </Toast.Close>
      </Toast.Root>
    )
  })
}
