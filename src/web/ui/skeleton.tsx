import { clsx } from 'clsx'

/** A still grey block; size it with classes to what will stand there. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx('skeleton', className)} />
}
