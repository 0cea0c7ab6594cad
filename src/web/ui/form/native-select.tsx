import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useFieldWiring } from './field-context.ts'

/** A native select with its options as children. An option for "none" needs a value other than "". */
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
