import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { listDevices } from '#features/devices/contract.ts'
import { query } from '#web/data.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'

/** A checkbox to keep TVs and TV apps when the password changes. Shown to customers who have any. */
export function KeepDevices(field: Omit<ComponentProps<typeof Checkbox>, 'label' | 'hint'>) {
  const { data } = useQuery(query(listDevices))
  if (!data?.devices.some(({ kind }) => kind !== 'browser')) return null
  return (
    <Checkbox
      {...field}
      label="Keep my TVs and TV apps"
      hint="Otherwise they are removed and have to be paired again."
    />
  )
}
