import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { useFieldWiring } from './field-context.ts'

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} {...useFieldWiring(rest)} className={clsx('input', className)} />
}
