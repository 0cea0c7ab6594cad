import { clsx } from 'clsx'
import type { ReactNode } from 'react'

interface Props {
  value: number
  max: number
  /** The full meaning as text: "108 of 184 days used". */
  label: string
  start?: ReactNode
  middle?: ReactNode
  end?: ReactNode
  className?: string
}

export function Meter({ value, max, label, start, middle, end, className }: Props) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <div className={className}>
      <svg className="meter" role="img" aria-label={label}>
        <rect width={`${(share * 100).toFixed(1)}%`} height="100%" rx="5" fill="var(--brand-graphic)" />
      </svg>
      {(start || middle || end) && (
        <div className="meter-ends num">
          <span>{start}</span>
          <b className={clsx(!middle && 'sr-only')}>{middle}</b>
          <span>{end}</span>
        </div>
      )}
    </div>
  )
}
