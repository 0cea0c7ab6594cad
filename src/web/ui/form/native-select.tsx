import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useFieldWiring } from './field-context.ts'

/** A select of the platform. Options are given as children; an empty choice has a value of its own, never "". */
export function NativeSelect({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="select">
      <select {...rest} {...useFieldWiring(rest)} className={clsx('input', className)}>
        {children}
      </select>
      <ChevronDown size={18} />
    </span>
  )
}
