import type { ReactNode } from 'react'
import type { Needs } from '#kit/permissions.ts'
import { useMay } from './use-may.ts'

/** Renders `children` only for users who have the needed permissions. */
export function May({ needs, children }: { needs: Needs; children: ReactNode }) {
  return useMay()(needs) ? children : null
}
