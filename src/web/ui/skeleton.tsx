import { clsx } from 'clsx'

/** A static gray placeholder. Set its size with classes to that of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx('skeleton', className)} />
}
