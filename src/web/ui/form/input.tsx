import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { useFieldWiring } from './field-context.ts'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} {...useFieldWiring(rest)} className={clsx('input', className)} />
}
