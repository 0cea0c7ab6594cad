import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { AuthStage } from './auth-stage.tsx'
import { usePasswordFocus } from './use-password-focus.ts'

interface Props {
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** The layout of all pages for logged-out users: the stage on one side and a form on the other. */
export function AuthFrame({ title, lead, children }: Props) {
  const { data: site } = useSuspenseQuery(query(getSite))
  return (
    <div className="grid lg:min-h-[calc(100svh-4.5rem)] lg:grid-cols-2">
      <AuthStage site={site} eyesClosed={usePasswordFocus()} />
      <div className="grid content-center px-[var(--gutter)] py-10 lg:py-16">
        <div className="mx-auto w-full max-w-[32rem]">
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p className="mt-3 mb-6 text-fg-2">{lead}</p>}
          {children}
        </div>
      </div>
    </div>
  )
}
