import { clsx } from 'clsx'

/** The strip of test-card colors, drawn by CSS. */
export const TestBars = ({ className }: { className?: string }) => <div className={clsx('test-bars', className)} />
